#include "results/normality.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/quantity_text.h"
#include "model/wire.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

// By what goes wrong most often, from threads of people whose number was low; docs/estimates.md.
const char* causes_of(LinkClass link) {
  switch (link) {
    case LinkClass::gpu_link:
      return "a link that is down or a bridge not fully seated (nvidia-smi nvlink -s), or the "
             "bytes "
             "take another way (NCCL_DEBUG=INFO says via what)";
    case LinkClass::peer_pcie:
      return "fewer lanes or a lower generation under load (nvidia-smi -q during a copy), a switch "
             "port that is shared, ACS or an IOMMU that sends peers through the host";
    case LinkClass::host_memory:
      return "memory of another NUMA node, fewer lanes or a lower generation under load "
             "(nvidia-smi -q during a copy), few memory channels";
    case LinkClass::any_pcie:
      return "no peer access, so that bytes go through the host (nvidia-smi topo -p2p w), fewer "
             "lanes or a lower generation under load (nvidia-smi -q during a copy)";
  }
  return "";
}

Normality judged(std::string what, std::string from, BytesPerSecond measured, const NodeLink& link,
                 Interval usual) {
  Normality normality{.what = std::move(what),
                      .from = std::move(from),
                      .measured = measured,
                      .ceiling = *link.ceiling,
                      .ceiling_from = link.source,
                      .share = measured / *link.ceiling,
                      .usual = usual};
  if (normality.share < usual.low) normality.causes = causes_of(*link.link);
  return normality;
}

void add_copies(const KnownNode& known, const Answer<GpuModel>& gpu, std::vector<Normality>& list) {
  for (const auto& [a, first] : known.node.devices) {
    for (const auto& [b, second] : known.node.devices) {
      if (a >= b) continue;
      const auto measured = measured_between(known.node, a, b);
      const NodeLink link = link_between(known.node, a, b, gpu);
      if (!measured || !link.link || !link.ceiling) continue;
      list.push_back(judged(fmt::format("copy {}-{}, one way", a, b), measured->tool,
                            measured->rate, link, habits(*link.link).copy_share));
    }
  }
}

// The link that holds a ring over all devices up; none where one is not known.
std::optional<NodeLink> slowest(const KnownNode& known, const Answer<GpuModel>& gpu) {
  std::optional<NodeLink> found;
  for (const auto& [a, first] : known.node.devices) {
    for (const auto& [b, second] : known.node.devices) {
      if (a >= b) continue;
      NodeLink link = link_between(known.node, a, b, gpu);
      if (!link.link || !link.ceiling) return std::nullopt;
      if (!found || *link.ceiling < *found->ceiling) found = std::move(link);
    }
  }
  return found;
}

void add_runs(const KnownNode& known, const Answer<GpuModel>& gpu, std::vector<Normality>& list) {
  const auto link = slowest(known, gpu);
  if (!link) return;
  for (const KnownRun& each : known.runs) {
    const CollectiveRun& run = each.run;
    if (run.rows.empty() || run.ranks != static_cast<int>(known.node.devices.size())) continue;
    const auto& largest = *std::max_element(
        run.rows.begin(), run.rows.end(),
        [](const CollectiveRow& a, const CollectiveRow& b) { return a.size < b.size; });
    list.push_back(judged(fmt::format("all-reduce of {}, bus bandwidth", to_text(largest.size)),
                          each.file, bus_bandwidth(largest.size, largest.time().time, *run.ranks),
                          *link, habits(*link->link).bus_share));
  }
}

}  // namespace

std::vector<Normality> normality_of(const KnownNode& known, const Answer<GpuModel>& gpu) {
  std::vector<Normality> list;
  add_copies(known, gpu, list);
  add_runs(known, gpu, list);
  return list;
}

Json to_json(const std::vector<Normality>& list) {
  Json document = Json::array();
  for (const Normality& each : list) {
    document.push_back({{"what", each.what},
                        {"from", each.from},
                        {"bytes_per_s", each.measured.value()},
                        {"ceiling_bytes_per_s", each.ceiling.value()},
                        {"ceiling_from", each.ceiling_from},
                        {"share", each.share},
                        {"usual", {{"low", each.usual.low}, {"high", each.usual.high}}},
                        {"causes", each.causes.empty() ? Json(nullptr) : Json(each.causes)}});
  }
  return document;
}

}  // namespace splitbench

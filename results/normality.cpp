#include "results/normality.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/quantity_text.h"
#include "model/wire.h"
#include "results/node.h"
#include "results/run_place.h"

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

// `most`: what may be measured there, which of several links is more than the ceiling of one.
Normality judged(std::string what, std::string from, BytesPerSecond measured, const NodeLink& link,
                 Interval usual, const Answer<BytesPerSecond>& most) {
  Normality normality{.what = std::move(what),
                      .from = std::move(from),
                      .measured = measured,
                      .ceiling = *link.ceiling,
                      .ceiling_from = link.source,
                      .share = measured / *link.ceiling,
                      .usual = usual};
  if (normality.share < usual.low) normality.causes = causes_of(*link.link);
  if (is_more_than_carried(measured, most)) normality.causes = kMoreThanCarried;
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
                            measured->rate, link, habits(*link.link).copy_share, link.ceiling));
    }
  }
}

// The most that one device sends: over its link to the only other one, else over all the links that
// its card has of its own. `slowest` is the link that holds a ring of `devices` up.
Answer<BytesPerSecond> most_sent(const ImportedNode& node, std::size_t devices,
                                 const NodeLink& slowest, const Answer<GpuModel>& gpu) {
  const bool has_links = std::any_of(node.links.begin(), node.links.end(),
                                     [](const Link& link) { return link.path == Path::gpu_link; });
  if (devices == 2 || !has_links) return slowest.ceiling;
  if (!gpu || !gpu->link) return Answer<BytesPerSecond>::none("the links of a card are not known");
  return std::max(gpu->link->links * gpu->link->each_way, *slowest.ceiling);
}

// The link as NCCL's log says that the run used it. Over NVLink, the memory of the host is less
// than the link is for, and that is what is to be seen.
NodeLink as_used(NodeLink link, const CollectiveRun& run) {
  if (link.link == LinkClass::gpu_link || run.transports.size() != 1) return link;
  if (run.transports.contains("P2P")) link.link = LinkClass::peer_pcie;
  if (run.transports.contains("SHM")) link.link = LinkClass::host_memory;
  return link;
}

// What is usual of the bus bandwidth over the ceiling: of large messages from tables of such, of
// smaller ones by the bounds of their time. None of one that its fixed cost hides.
std::optional<Interval> usual_share(Bytes message, int ranks, const NodeLink& link) {
  constexpr Bytes kLarge(64.0 * 1024 * 1024);
  const LinkHabits& usual = habits(*link.link);
  const double at_ceiling = (wire_bytes(message, ranks) / *link.ceiling).value();
  if (message >= kLarge) return usual.bus_share;
  if (at_ceiling < usual.latency.low) return std::nullopt;
  const Interval time = all_reduce_bounds(message, ranks, *link.link, *link.ceiling);
  return Interval{at_ceiling / time.high, at_ceiling / time.low};
}

// Devices by rank.
ImportedNode node_of_result(const Json& result) {
  ImportedNode node;
  for (const Json& device : result.at("node").at("devices")) {
    node.devices[static_cast<int>(node.devices.size())].name = device.at("name").get<std::string>();
  }
  for (const Json& each : result.at("node").at("links")) {
    const Link link{.a = each.at("a").get<int>(),
                    .b = each.at("b").get<int>(),
                    .kind = each.at("kind").get<std::string>(),
                    .path = path_between(each.at("path").get<std::string>())};
    const Json access = each.value("peer_access", Json::object());
    if (access.value("a_to_b", Json()) == true && access.value("b_to_a", Json()) == true) {
      node.peers.push_back({link.a, link.b, "granted", true});
      node.peers.push_back({link.b, link.a, "granted", true});
    }
    node.links.push_back(link);
  }
  return node;
}

// Every all-reduce that was timed, at the points' own messages and in their sweeps.
CollectiveRun run_of_result(const Json& result) {
  CollectiveRun run;
  const auto add = [&run](double message, double time) {
    CollectiveRow row;
    row.size = Bytes(message);
    row.out_of_place = CollectiveTime{.time = Seconds(time), .wrong = {}};
    run.rows.push_back(std::move(row));
  };
  for (const Json& point : result.at("points")) {
    run.ranks = point.at("ranks").get<int>();
    for (const Json& each : point.value("collective_sweep", Json::array())) {
      add(each.at("message_bytes").get<double>(), each.at("typical_s").get<double>());
    }
    const Json parameters = point.value("parameters", Json());
    if (!parameters.is_object() || parameters.at("collective_s").is_null()) continue;
    add(point.at("message_bytes").get<double>(),
        parameters["collective_s"].at("value").get<double>());
  }
  return run;
}

}  // namespace

Answer<Normality> normality_of(const KnownRun& run, const ImportedNode& node,
                               const Answer<GpuModel>& gpu) {
  using None = Answer<Normality>;
  const auto& rows = run.run.rows;
  if (rows.empty() || !run.run.ranks) return None::none("no all-reduce of known ranks");
  const int ranks = *run.run.ranks;
  const RunPlace place = place_of(run.run, node);
  if (!place.outside.empty()) return None::none(place.outside);
  if (node.devices.size() < 2) return None::none("no text names two devices of one node");
  if (place.devices.empty()) {
    return None::none(fmt::format("the all-reduce is of {} ranks, and the texts name {} devices",
                                  ranks, node.devices.size()));
  }
  const NodeLink between = slowest_link(node, place.devices, gpu);
  if (!between.link || !between.ceiling) return None::none(between.ceiling.reason());
  const NodeLink link = as_used(between, run.run);
  const CollectiveRow& largest = *std::max_element(
      rows.begin(), rows.end(),
      [](const CollectiveRow& a, const CollectiveRow& b) { return a.size < b.size; });
  const BytesPerSecond measured = bus_bandwidth(largest.size, largest.time().time, ranks);
  const auto most = most_sent(node, place.devices.size(), link, gpu);
  const auto usual = usual_share(largest.size, ranks, link);
  if (!usual && !is_more_than_carried(measured, most)) {
    return None::none(
        fmt::format("the largest all-reduce, {}, is too small to say anything of "
                    "its link",
                    to_text(largest.size)));
  }
  const std::string where = place.devices.size() == node.devices.size()
                                ? ""
                                : " over devices " + numbers_text(place.devices);
  return judged(fmt::format("all-reduce of {}{}, bus bandwidth", to_text(largest.size), where),
                run.file, measured, link, usual.value_or(habits(*link.link).bus_share), most);
}

std::vector<Normality> normality_of(const KnownNode& known, const Answer<GpuModel>& gpu) {
  std::vector<Normality> list;
  add_copies(known, gpu, list);
  for (const KnownRun& run : known.runs) {
    if (const auto normality = normality_of(run, known.node, gpu)) list.push_back(*normality);
  }
  return list;
}

std::vector<Normality> normality_of_result(const Json& result,
                                           const std::vector<GpuModel>& catalogue) {
  if (result.at("backend") != "cuda" || result.at("times_are") != "measured") return {};
  const KnownNode known{.node = node_of_result(result),
                        .runs = {{"this run", "splitbench", run_of_result(result)}},
                        .files = {}};
  return normality_of(known, gpu_of(known, catalogue, ""));
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

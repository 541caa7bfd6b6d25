#include "protocols/promise.h"

#include <array>
#include <cstdint>
#include <utility>

#include "protocols/document_value.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostDevices = 1024;
constexpr std::size_t kMostLinks = 1024;
constexpr std::size_t kMostSpeedups = 64;

constexpr std::array kNearnesses{
    Named<Nearness>{Nearness::gpu_link, "gpu-link", "NVLink, Infinity Fabric"},
    Named<Nearness>{Nearness::pix, "PIX", "one PCIe switch"},
    Named<Nearness>{Nearness::pxb, "PXB", "several PCIe switches"},
    Named<Nearness>{Nearness::phb, "PHB", "the PCIe bridge of the host"},
    Named<Nearness>{Nearness::node, "NODE", "bridges of one NUMA node"},
    Named<Nearness>{Nearness::sys, "SYS", "across sockets"},
};

std::optional<int> count_in(const DocumentValue& value, std::string_view key, int most) {
  const auto member = value.member(key);
  if (!member) return std::nullopt;
  return static_cast<int>(member->whole(1, most));
}

std::pair<int, int> read_pair(const DocumentValue& value, int count) {
  const auto ends = value.elements(2);
  if (ends.size() != 2) value.refuse("the numbers of two devices");
  const auto number = [count](const DocumentValue& end) {
    return static_cast<int>(end.whole(0, count - 1));
  };
  const std::pair<int, int> pair{number(ends[0]), number(ends[1])};
  if (pair.first == pair.second) value.fail("a device has no link to itself");
  return pair;
}

PromisedLink read_link(const DocumentValue& value, int count) {
  value.check_keys({}, {"between", "kind", "gpu_links", "bytes_per_s"});
  PromisedLink link;
  if (const auto between = value.member("between")) link.between = read_pair(*between, count);
  if (const auto kind = value.member("kind")) link.kind = kind->choice(nearnesses());
  link.gpu_links = count_in(value, "gpu_links", 1000);
  if (const auto rate = value.member("bytes_per_s")) {
    link.rate = BytesPerSecond(rate->number(1.0, 1e15));
  }
  if (!link.kind && !link.gpu_links && !link.rate) {
    value.fail("nothing is promised of this link: expected kind, gpu_links or bytes_per_s");
  }
  return link;
}

void read_devices(Promise& promise, const DocumentValue& value) {
  value.check_keys({"count"}, {"model", "memory_bytes"});
  promise.count = *count_in(value, "count", kMostDevices);
  if (const auto model = value.member("model")) promise.model = model->text(200);
  if (const auto memory = value.member("memory_bytes")) {
    promise.memory = Bytes(memory->number(1.0, 1e18));
  }
}

}  // namespace

std::span<const Named<Nearness>> nearnesses() {
  return kNearnesses;
}

std::string_view name(Nearness nearness) {
  return name_in(nearnesses(), nearness);
}

Promise load_promise(std::string text, std::string file) {
  const Document document(std::move(text), std::move(file));
  const DocumentValue root(document);
  root.check_keys({"schema", "devices"}, {"pcie", "one_numa_node", "links", "speedup"});
  constexpr std::array<std::string_view, 1> kSchemas{kPromiseSchema};
  root.member("schema")->one_of(kSchemas);
  Promise promise;
  read_devices(promise, *root.member("devices"));
  if (const auto pcie = root.member("pcie")) {
    pcie->check_keys({}, {"generation", "width"});
    promise.pcie_generation = count_in(*pcie, "generation", 6);
    promise.pcie_width = count_in(*pcie, "width", 32);
  }
  promise.one_numa_node = root.boolean("one_numa_node", false);
  if (const auto links = root.member("links")) {
    for (const DocumentValue& link : links->elements(kMostLinks)) {
      promise.links.push_back(read_link(link, promise.count));
    }
  }
  if (const auto speedups = root.member("speedup")) {
    for (const DocumentValue& speedup : speedups->elements(kMostSpeedups)) {
      speedup.check_keys({"protocol", "at_least"}, {});
      promise.speedups.push_back(
          {speedup.member("protocol")->text(64), speedup.member("at_least")->number(0.001, 1e6)});
    }
  }
  return promise;
}

Json to_json(const Promise& promise) {
  Json document{{"schema", kPromiseSchema}};
  document["devices"] = {{"count", promise.count}};
  if (!promise.model.empty()) document["devices"]["model"] = promise.model;
  if (promise.memory) {
    document["devices"]["memory_bytes"] = static_cast<std::int64_t>(promise.memory->value());
  }
  if (promise.pcie_generation) document["pcie"]["generation"] = *promise.pcie_generation;
  if (promise.pcie_width) document["pcie"]["width"] = *promise.pcie_width;
  if (promise.one_numa_node) document["one_numa_node"] = true;
  for (const PromisedLink& link : promise.links) {
    Json entry = Json::object();
    if (link.between) entry["between"] = {link.between->first, link.between->second};
    if (link.kind) entry["kind"] = name(*link.kind);
    if (link.gpu_links) entry["gpu_links"] = *link.gpu_links;
    if (link.rate) entry["bytes_per_s"] = link.rate->value();
    document["links"].push_back(std::move(entry));
  }
  for (const PromisedSpeedup& speedup : promise.speedups) {
    document["speedup"].push_back({{"protocol", speedup.protocol}, {"at_least", speedup.at_least}});
  }
  return document;
}

}  // namespace splitbench

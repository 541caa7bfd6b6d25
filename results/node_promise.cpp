#include <algorithm>
#include <cmath>
#include <set>

#include "model/invalid_input.h"
#include "results/inspection.h"
#include "results/node_link.h"

namespace splitbench {
namespace {

constexpr double kOfMeasured = 0.9;
constexpr double kGigabyte = 1e9;

// The least of what every device says, where every one says it.
template <class Read>
auto least_of_all(const ImportedNode& node, Read read) -> decltype(read(ImportedDevice{})) {
  decltype(read(ImportedDevice{})) least;
  for (const auto& [number, device] : node.devices) {
    const auto value = read(device);
    if (!value) return std::nullopt;
    least = least ? std::min(*least, *value) : *value;
  }
  return least;
}

std::string one_model(const ImportedNode& node) {
  std::set<std::string> names;
  for (const auto& [number, device] : node.devices) {
    names.insert(device.name_is_cut ? "" : device.name);
  }
  return names.size() == 1 ? *names.begin() : "";
}

std::optional<int> numa_of(const ImportedDevice& device) {
  return device.numa_node;
}

// Three digits, rounded down.
BytesPerSecond promised_rate(BytesPerSecond measured) {
  const double rate = kOfMeasured * measured.value();
  const double digit = std::pow(10.0, std::floor(std::log10(rate)) - 2.0);
  return BytesPerSecond(std::floor(rate / digit) * digit);
}

std::optional<PromisedLink> promised_link(const KnownNode& known, int a, int b,
                                          const Answer<GpuModel>& gpu) {
  const NodeLink link = link_between(known.node, a, b, gpu);
  if (!link.impossible.empty()) return std::nullopt;
  PromisedLink promised{.between = std::pair(a, b)};
  promised.kind =
      link.link == LinkClass::gpu_link ? Nearness::gpu_link : find_in(nearnesses(), link.kind);
  if (link.gpu_links && *link.gpu_links > 0) promised.gpu_links = link.gpu_links;
  const auto measured = measured_between(known.node, a, b);
  if (measured && measured->rate.value() > 0.0 &&
      !is_more_than_carried(measured->rate, most_over(link, gpu))) {
    promised.rate = promised_rate(measured->rate);
  }
  if (!promised.kind && !promised.rate) return std::nullopt;
  return promised;
}

}  // namespace

Promise promise_of(const KnownNode& known, const std::vector<GpuModel>& catalogue) {
  const ImportedNode& node = known.node;
  if (node.devices.empty()) throw InvalidInput("promise", "no text lists the devices of the node");
  Promise promise{.count = static_cast<int>(node.devices.size())};
  promise.model = one_model(node);
  promise.memory = least_of_all(node, [](const ImportedDevice& device) { return device.memory; });
  if (promise.memory) {
    promise.memory = Bytes(std::floor(promise.memory->value() / kGigabyte) * kGigabyte);
  }
  promise.pcie_generation =
      least_of_all(node, [](const ImportedDevice& device) { return device.pcie.generation_now; });
  promise.pcie_width =
      least_of_all(node, [](const ImportedDevice& device) { return device.pcie.width_now; });
  const auto least = least_of_all(node, numa_of);
  promise.one_numa_node =
      least && std::all_of(node.devices.begin(), node.devices.end(),
                           [&](const auto& entry) { return entry.second.numa_node == least; });
  const Answer<GpuModel> gpu = gpu_of(known, catalogue, "");
  for (int a = 0; a < promise.count; ++a) {
    for (int b = a + 1; b < promise.count; ++b) {
      if (auto link = promised_link(known, a, b, gpu)) promise.links.push_back(std::move(*link));
    }
  }
  return promise;
}

}  // namespace splitbench

#include "model/link_class.h"

#include <algorithm>
#include <array>
#include <string>

#include "model/wire.h"

namespace splitbench {
namespace {

// docs/estimates.md "What is usual of a link" has every figure's table.
constexpr LinkHabits kGpuLink{.copy_share = {0.75, 0.99},
                              .bus_share = {0.43, 1.1},
                              .latency = {2.4e-6, 10.5e-6},
                              .all_reduce_share = {0.11, 0.75}};
constexpr LinkHabits kPeerPcie{.copy_share = {0.70, 0.95},
                               .bus_share = {0.55, 0.85},
                               .latency = {5.0e-6, 10.0e-6},
                               .all_reduce_share = {0.30, 0.85}};
constexpr LinkHabits kHostMemory{.copy_share = {0.35, 0.75},
                                 .bus_share = {0.11, 0.45},
                                 .latency = {10.0e-6, 15.0e-6},
                                 .all_reduce_share = {0.07, 0.45}};
constexpr LinkHabits kAnyPcie{.copy_share = {0.35, 0.95},
                              .bus_share = {0.11, 0.85},
                              .latency = {5.0e-6, 15.0e-6},
                              .all_reduce_share = {0.07, 0.85}};

}  // namespace

std::string_view name(LinkClass link) {
  switch (link) {
    case LinkClass::gpu_link:
      return "gpu-link";
    case LinkClass::peer_pcie:
      return "peer-pcie";
    case LinkClass::host_memory:
      return "host-memory";
    case LinkClass::any_pcie:
      return "pcie";
  }
  return "pcie";
}

const LinkHabits& habits(LinkClass link) {
  switch (link) {
    case LinkClass::gpu_link:
      return kGpuLink;
    case LinkClass::peer_pcie:
      return kPeerPcie;
    case LinkClass::host_memory:
      return kHostMemory;
    case LinkClass::any_pcie:
      return kAnyPcie;
  }
  return kAnyPcie;
}

Answer<BytesPerSecond> pcie_rate(int generation, int width) {
  constexpr std::array<double, 6> kLane{2.5e9 * 8 / 10,   5e9 * 8 / 10,     8e9 * 128 / 130,
                                        16e9 * 128 / 130, 32e9 * 128 / 130, 64e9 * 242 / 256};
  constexpr std::array kWidths{1, 2, 4, 8, 12, 16, 32};
  const bool has_rate = generation >= 1 && generation <= static_cast<int>(kLane.size());
  if (!has_rate || std::find(kWidths.begin(), kWidths.end(), width) == kWidths.end()) {
    return Answer<BytesPerSecond>::none("PCIe generation " + std::to_string(generation) + " x" +
                                        std::to_string(width) + " has no rate that is known here");
  }
  return BytesPerSecond(kLane[static_cast<std::size_t>(generation - 1)] * width / 8.0);
}

Interval all_reduce_bounds(Bytes message, int ranks, LinkClass link, BytesPerSecond ceiling) {
  const LinkHabits& usual = habits(link);
  const double at_ceiling = (wire_bytes(message, ranks) / ceiling).value();
  return {usual.latency.low + at_ceiling / usual.all_reduce_share.high,
          (ranks - 1) * usual.latency.high + at_ceiling / usual.all_reduce_share.low};
}

}  // namespace splitbench

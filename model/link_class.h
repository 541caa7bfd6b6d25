// What is usual of a link of a kind: the share of its ceiling that copies and all-reduces reach,
// and what a small all-reduce costs. From public tables of two ranks; docs/estimates.md has them.
// They bound an estimate where nothing was measured, and say of a measurement whether it is normal.
#pragma once

#include <string_view>

#include "model/answer.h"
#include "model/quantity.h"
#include "model/statistics.h"

namespace splitbench {

// How bytes go from one device to another.
enum class LinkClass {
  gpu_link,     // NVLink, Infinity Fabric
  peer_pcie,    // PCIe, one device writes into the other's memory
  host_memory,  // PCIe, through the memory of the host
  any_pcie,     // PCIe, and which of the two is not known
};
std::string_view name(LinkClass link);

struct LinkHabits {
  Interval copy_share;        // of the ceiling, one way, large copies
  Interval bus_share;         // bus bandwidth of a large all-reduce over the ceiling
  Interval latency;           // s, an all-reduce of a few bytes, two ranks
  Interval all_reduce_share;  // V over the time beyond that, over the ceiling; at every size
};
const LinkHabits& habits(LinkClass link);

// What no link reaches, however it is measured: a quarter above its ceiling. The most that anybody
// published is 110 % (NVLS, where busbw counts bytes that no longer travel), and links run at up to
// 6 % more than datasheets round them to.
inline constexpr double kMostOfCeiling = 1.25;
inline constexpr const char* kMoreThanCarried =
    "more than the link can carry: the text or the unit is wrong";

// One direction of PCIe after its line code: 8b/10b up to generation 2, 128b/130b from 3 to 5, and
// 242/256 of the raw rate at 6 (flits). None for a generation outside 1 to 6, or a width that is
// not 1, 2, 4, 8, 12, 16 or 32. Source: PCI Express Base Specification, revisions 1.1 to 6.0: 2.5,
// 5, 8, 16, 32, 64 GT/s.
Answer<BytesPerSecond> pcie_rate(int generation, int width);

// Bounds of the time of one all-reduce, s, ring over `ranks` of one node. The upper end of the
// fixed cost grows with the steps of a ring.
Interval all_reduce_bounds(Bytes message, int ranks, LinkClass link, BytesPerSecond ceiling);

}  // namespace splitbench

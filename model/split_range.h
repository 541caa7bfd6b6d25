// The analytical model over ranges instead of numbers: T1, T_N and speedup as ranges, and which of
// the ranges makes the speedup's so wide. Source: model/split_time.h at the corners; every term is
// monotonic in every parameter, so the ends are at corners.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/statistics.h"

namespace splitbench {

// Seconds; all ends above 0 but those of `serial`, which may be 0.
struct SplitRanges {
  Interval serial;             // S
  Interval compute;            // C
  Interval efficiency;         // eta
  Interval collective;         // l + V/B, of one
  std::int64_t collectives{};  // Q
  int ranks = 2;
};

struct SplitTimeRanges {
  Interval one_device;  // T1, s
  Interval split;       // T_N, s
  Interval speedup;
};

// Throws InvalidInput where a range is not as above or has its ends the wrong way round.
SplitTimeRanges split_time_ranges(const SplitRanges& ranges);

// The speedup that would be left to guess if one parameter were measured and came out at the middle
// (geometric) of its range.
struct Narrowing {
  std::string_view parameter;  // "serial", "compute", "efficiency", "collective"
  Interval speedup;
  double narrower = 0.0;  // share of the logarithmic width that would be gone
};

// The one that narrows most first.
std::vector<Narrowing> narrowings(const SplitRanges& ranges);

}  // namespace splitbench

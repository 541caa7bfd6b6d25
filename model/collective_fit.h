// The local line t = l + V/B through the times of one collective at several sizes.
//
// Weights are 1/t^2, so that what is made small is the relative error: times of a sweep span orders
// of magnitude and so do their errors. The line describes the sizes it was made from and nothing
// else. Source: docs/formulas.md "Split time"; docs/methodology.md, "Two predictions".
#pragma once

#include <span>
#include <vector>

#include "model/answer.h"
#include "model/quantity.h"

namespace splitbench {

struct SizeTime {
  Bytes wire{};
  Seconds time{};
};

struct CollectiveLine {
  Seconds latency{};            // l; as fitted, so it may be negative
  BytesPerSecond bandwidth{};   // B
  Bytes smallest{};             // of the sizes it was made from
  Bytes largest{};              //
  std::size_t points = 0;       //
  double max_relative_error{};  // of the line at these points, |fitted - measured| / measured

  // None outside [smallest, largest]: a line is not extrapolated.
  Answer<Seconds> at(Bytes wire) const;
};

// None where there are fewer than 3 distinct sizes, where time does not grow with size, or where a
// time is not above 0.
Answer<CollectiveLine> fit_line(std::span<const SizeTime> points);

// The points within a factor of 2 of `wire`, itself left out: predicting a size from its own time
// would test nothing.
std::vector<SizeTime> points_around(Bytes wire, std::span<const SizeTime> points);

}  // namespace splitbench

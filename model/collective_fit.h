// The local line t = l + V/B through the times of one collective at several sizes.
//
// Weights are 1/t^2, so that what is made small is the relative error: times of a sweep span orders
// of magnitude and so do their errors. The line describes the sizes it was made from and nothing
// else; which sizes one line may describe says model/collective_segments.h. Source:
// docs/formulas.md "The collective's line".
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/answer.h"
#include "model/quantity.h"
#include "model/statistics.h"

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

  double relative_sd{};          // of the points about the line, points - 2 degrees of freedom
  double latency_variance{};     // of l, s^2
  double slope_variance{};       // of 1/B, (s/byte)^2
  double latency_slope_covar{};  // of the two, s^2/byte: nearly always negative

  // None outside [smallest, largest]: a line is not extrapolated.
  Answer<Seconds> at(Bytes wire) const;

  // Seconds: where one more time at `wire` lies, by the scatter of the points about the line and
  // what that leaves unknown of l and 1/B together. `further`: a relative standard deviation that
  // the points hide, 0 where they are all that there was; of a segment that was chosen so that its
  // errors are small it is the one below which find_segments() saw none. None where at() has none.
  Answer<Interval> interval_at(Bytes wire, double confidence, double further = 0.0) const;
};

// None where there are fewer than 3 distinct sizes, where time does not grow with size, or where a
// time is not above 0.
Answer<CollectiveLine> fit_line(std::span<const SizeTime> points);

// All but those of this very size: predicting a size from its own time would test nothing.
std::vector<SizeTime> without_size(Bytes wire, std::span<const SizeTime> points);

// The points within a factor of 2 of `wire`.
std::vector<SizeTime> points_around(Bytes wire, std::span<const SizeTime> points);

}  // namespace splitbench

// All that a sweep of one collective says, as pieces t = l + V/B: the segments where the line
// changes, and the local line around one size. For times that someone has and cannot measure again;
// docs/formulas.md "The collective's line".
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/answer.h"
#include "model/collective_fit.h"
#include "model/collective_segments.h"
#include "model/quantity.h"
#include "model/statistics.h"

namespace splitbench {

// A line and where it holds. Where the time does not grow with size there is no B, and l is the
// time: the weighted mean of the times, with the weights of fit_line().
struct CurvePiece {
  Bytes smallest{};  // of the sizes it was made from
  Bytes largest{};
  std::size_t points = 0;
  Seconds latency{};  // l; as fitted, so it may be negative
  Answer<BytesPerSecond> bandwidth = Answer<BytesPerSecond>::none("no line");
  double max_relative_error = 0.0;  // at these points, |fitted - measured| / measured
  // 95 %, from the scatter of the points about the line: none of fewer than 4 points, and none of B
  // where the slope may be 0.
  Answer<Interval> latency_interval = Answer<Interval>::none("no line");
  Answer<Interval> bandwidth_interval = Answer<Interval>::none("no line");

  Seconds at(Bytes wire) const;
};

class CollectiveCurve {
 public:
  // Points of one size are taken as one, at their mean. Throws InvalidInput for fewer than 3
  // distinct sizes, and for a size or a time that is not above 0.
  explicit CollectiveCurve(std::span<const SizeTime> points);

  const std::vector<CurvePiece>& segments() const { return segments_; }

  // The line through the sizes within a factor of 2 of `wire`, or the 3 nearest where they are
  // fewer, of the segment that holds it. None between two segments, with the reason. Throws
  // InvalidInput outside of the sizes: a curve is not extrapolated.
  Answer<CurvePiece> around(Bytes wire) const;

  bool near_break(Bytes wire) const;

 private:
  std::vector<SizeTime> points_;  // ascending
  std::vector<CollectiveSegment> ranges_;
  std::vector<CurvePiece> segments_;
};

}  // namespace splitbench

// The sizes of a collective that one line l + V/B may describe: where a library changes its
// protocol, its algorithm or its channels, the line changes, often with a jump.
//
// Breakpoints on the ascending sizes by dynamic programming: for every number of segments those
// that make the sum of squared relative errors least, each segment with a line of its own and
// nothing that ties two of them together; then the number of segments by an information criterion.
// Source of the method, the criterion and its constants: docs/formulas.md "The collective's line".
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/answer.h"
#include "model/collective_fit.h"

namespace splitbench {

// What the times of one size are taken to differ by where nothing says more, relative: the same
// collective measured twice, on another day or with the next version of its library.
inline constexpr double kSizeNoise = 0.02;

// Consecutive sizes that one line describes, at least 3 of them.
struct CollectiveSegment {
  Bytes smallest{};
  Bytes largest{};

  bool holds(Bytes wire) const { return smallest <= wire && wire <= largest; }
};

// Ascending; points of one size are one, at their mean.
std::vector<SizeTime> one_per_size(std::span<const SizeTime> points);

// Of one_per_size(points), ascending. `noise`: the relative standard
// deviation of a time that is no sign of another line. Empty where there are fewer than 3 distinct
// sizes. Throws InvalidInput for a time or a size that is not above 0, or a noise below 0.
std::vector<CollectiveSegment> find_segments(std::span<const SizeTime> points, double noise);

// The one that holds `wire`; none, with the reason, in the gap between two and outside of all.
Answer<CollectiveSegment> segment_at(Bytes wire, std::span<const CollectiveSegment> segments);

// `wire` lies within a quarter octave of a break, which is anywhere between the last size of one
// segment and the first of the next: two lines are then possible, and which one a collective takes
// may differ from one run to the next.
bool near_break(Bytes wire, std::span<const CollectiveSegment> segments);

std::vector<SizeTime> points_in(const CollectiveSegment& segment, std::span<const SizeTime> points);

}  // namespace splitbench

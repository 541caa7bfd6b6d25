// Where along a row of values the split is faster: a set of intervals, as the winner may change
// more than once. Source: docs/formulas.md "Split time".
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace splitbench {

struct FasterInterval {
  double from;  // base units of what is varied
  double to;
  bool from_is_first;  // the interval begins with the row: it may reach further
  bool to_is_last;

  friend bool operator==(const FasterInterval&, const FasterInterval&) = default;
};

// The value between a slower and a faster one (either may be the smaller) where the answer changes.
using Crossing = std::function<double(double slower, double faster)>;

// Of ascending values. What happens twice between two neighbours is not seen. Without a crossing an
// interval ends at the last of the values that is faster.
std::vector<FasterInterval> faster_intervals(
    std::span<const double> values, const std::function<bool(double)>& is_faster,
    const Crossing& crossing = [](double, double faster) { return faster; });

}  // namespace splitbench

// Where the level of a series of runs changed for good.
//
// E-divisive (Matteson and James, Journal of the American Statistical Association 109, 2014) with
// alpha = 1: the series is cut where the energy distance between both sides is largest, and each
// part again, as long as few of its shuffled copies can be cut as well. The shuffles follow from
// the seed alone: the same series has the same change points, always.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace splitbench {

struct ChangePointRule {
  double significance = 0.01;  // the share of shuffled copies that may be cut as well
  std::size_t shuffles = 499;  //
  std::size_t least_runs = 4;  // on either side of a change
  std::uint64_t seed = 1;
};

struct ChangePoint {
  std::size_t first = 0;      // index of the first run after the change
  double significance = 0.0;  // (1 + shuffled copies that can be cut as well) / (1 + shuffles)
};

// Ascending. Time grows with the square of the number of values. Throws InvalidInput for a value
// that is not finite, a significance outside (0, 1), fewer than 2 runs on a side, or fewer shuffles
// than that significance takes (1 / significance - 1).
std::vector<ChangePoint> change_points(std::span<const double> values, const ChangePointRule& rule);

}  // namespace splitbench

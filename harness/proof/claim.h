// What is asked of a figure, and whether the runs met it.
#pragma once

#include <string>
#include <string_view>

#include "harness/proof/proportion.h"
#include "model/statistics.h"

namespace splitbench::proof {

// missed: the figure is outside of the limits by more than the chance of so many runs explains;
// unclear: it is outside, and chance may explain it.
enum class ClaimOutcome { met, unclear, missed };
std::string_view name(ClaimOutcome outcome);

struct Claim {
  std::string what;
  double figure = 0.0;
  Interval chance;  // of the figure, at kSure
  Interval limits;
  ClaimOutcome outcome = ClaimOutcome::met;
};

// A document makes a hundred claims: each may be missed by chance once in a thousand.
inline constexpr double kSure = 0.999;

Claim claim(std::string what, const Proportion& proportion, Interval limits);
Claim claim(std::string what, double figure, Interval chance, Interval limits);

}  // namespace splitbench::proof

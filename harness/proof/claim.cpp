#include "harness/proof/claim.h"

#include <utility>

namespace splitbench::proof {

std::string_view name(ClaimOutcome outcome) {
  switch (outcome) {
    case ClaimOutcome::met:
      return "met";
    case ClaimOutcome::unclear:
      return "unclear";
    case ClaimOutcome::missed:
      return "missed";
  }
  return "unknown";
}

Claim claim(std::string what, double figure, Interval chance, Interval limits) {
  ClaimOutcome outcome = ClaimOutcome::met;
  if (!limits.contains(figure)) {
    const bool clear = chance.high < limits.low || chance.low > limits.high;
    outcome = clear ? ClaimOutcome::missed : ClaimOutcome::unclear;
  }
  return {std::move(what), figure, chance, limits, outcome};
}

Claim claim(std::string what, const Proportion& proportion, Interval limits) {
  return claim(std::move(what), proportion.share(), binomial_interval(proportion, kSure), limits);
}

}  // namespace splitbench::proof

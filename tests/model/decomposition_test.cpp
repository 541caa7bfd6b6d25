// Sums that add up exactly.
#include "model/decomposition.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace splitbench {
namespace {

// L(e, 1) = (e - 1) / 1; between the geometric and the arithmetic mean; symmetric.
TEST(LogarithmicMean, IsTheDifferenceOverTheDifferenceOfLogarithms) {
  EXPECT_NEAR(logarithmic_mean(std::numbers::e, 1.0), std::numbers::e - 1.0, 1e-14);
  EXPECT_NEAR(logarithmic_mean(1.0, std::numbers::e), std::numbers::e - 1.0, 1e-14);
  EXPECT_EQ(logarithmic_mean(3.0, 3.0), 3.0);
}

TEST(LogarithmicMean, IsSmoothWhereBothAreNearlyEqual) {
  // x / ln(1+x) to fourth order in x, on both sides of the switch to the series.
  for (const double x : {-2e-4, -0.9e-4, 1e-9, 0.9e-4, 1.1e-4}) {
    EXPECT_NEAR(logarithmic_mean(5.0 * (1.0 + x), 5.0),
                5.0 * (1.0 + x / 2 - x * x / 12 + x * x * x / 24), 1e-11)
        << x;
  }
}

TEST(WeightedTerm, OfTheWeightsThemselvesIsTheWhole) {
  const std::vector<double> totals{9.0, 10.0, 12.0};
  const Term term = weighted_term("all", totals, totals, 10.2, 0.95);
  EXPECT_NEAR(term.amount.value().value, 10.2, 1e-14);
  EXPECT_NEAR((*term.amount.value().interval).high, 10.2, 1e-12);
}

}  // namespace
}  // namespace splitbench

// The methods that are set beside ours must be the methods that they are called.
#include "harness/proof/intervals.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "harness/proof/naive_study.h"

namespace splitbench::proof {
namespace {

// Survival of the treated mice: Efron and Tibshirani (1993), table 2.1.
constexpr std::array kMice{94.0, 197.0, 16.0, 38.0, 99.0, 141.0, 23.0};

double sd(const std::vector<double>& values) {
  const double center =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double squares = 0.0;
  for (const double value : values) squares += (value - center) * (value - center);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

// Table 2.2: the standard error of the mean with infinitely many resamples is 23.36. With 20 000
// its own standard error is 0.12.
TEST(Resampled, HasThePublishedStandardErrorOfTheMean) {
  Random random(1);
  EXPECT_NEAR(sd(resampled(kMice, 20'000, random).means), 23.36, 0.6);
}

// One round in each session leaves sessions alone to be drawn: the same standard error.
TEST(HierarchicallyResampled, IsTheMeansBootstrapWhereASessionIsOneRound) {
  std::vector<std::vector<double>> sessions;
  for (const double days : kMice) sessions.push_back({days});
  Random random(1);
  EXPECT_NEAR(sd(hierarchically_resampled(sessions, 20'000, random)), 23.36, 0.6);
}

// Equal sessions differ by their rounds alone. The median of three of {1, 2, 3} is 1 or 3 in 7 of
// 27 cases each and 2 in 13: variance 14/27, and of the mean of two sessions 7/27.
TEST(HierarchicallyResampled, DrawsRoundsWithinSessions) {
  const std::vector<std::vector<double>> sessions(2, {1.0, 2.0, 3.0});
  Random random(1);
  EXPECT_NEAR(sd(hierarchically_resampled(sessions, 20'000, random)), std::sqrt(7.0 / 27.0), 0.02);
}

TEST(PercentileInterval, IsTheMiddleOfTheValues) {
  std::vector<double> values(1000);
  std::iota(values.rbegin(), values.rend(), 1.0);
  EXPECT_EQ(percentile_interval(values, 0.95), (Interval{25.0, 975.0}));
}

// Deviations of -1, -1 and 2 from 2: cubes sum to 6, squares to 6; 6 / (6 x 6^1.5) = 0.0680.
TEST(Acceleration, IsASixthOfTheSkewness) {
  EXPECT_NEAR(acceleration(std::array{1.0, 1.0, 4.0}), 0.06804, 5e-6);
  EXPECT_EQ(acceleration(std::array{1.0, 2.0, 3.0}), 0.0);
}

// Neither bias nor skewness: half of the means lie below the estimate, 2.
TEST(BcaInterval, IsThePercentilesWhereNothingIsSkewed) {
  std::vector<double> means(1000);
  for (std::size_t i = 0; i < means.size(); ++i) {
    means[i] = 2.0 + (static_cast<double>(i) - 499.5) / 1000.0;
  }
  const std::array sessions{1.0, 2.0, 3.0};
  const Interval found = bca_interval(sessions, means, 0.95);
  const Interval plain = percentile_interval(means, 0.95);
  EXPECT_NEAR(found.low, plain.low, 0.0011);
  EXPECT_NEAR(found.high, plain.high, 0.0011);
}

// By the formula: a quarter of the means below the estimate is a bias of z0 = -0.6745, twice that
// added to -+1.96 gives shares of 0.04 and 72.9 %.
TEST(BcaInterval, MovesTowardsWhereTheEstimateLies) {
  std::vector<double> means(10'000);
  for (std::size_t i = 0; i < means.size(); ++i) {
    means[i] = 2.0 + (static_cast<double>(i) - 2499.5) / 10'000.0;
  }
  const Interval found = bca_interval(std::array{1.0, 2.0, 3.0}, means, 0.95);
  EXPECT_NEAR(found.low, means[4], 0.0011);
  EXPECT_NEAR(found.high, means[7291], 0.0011);
}

// Mean 2, standard error 1/sqrt(3); resamples' t from -3 to 1: 2 - 1 s to 2 + 3 s. The one without
// spread says nothing.
TEST(BootstrapTInterval, TurnsTheStudentisedEndsAround) {
  const Resamples resamples{{2.0 - 3.0 * 0.5, 2.0 + 0.5, 7.0}, {0.5, 0.5, 0.0}};
  const double s = 1.0 / std::sqrt(3.0);
  const Interval found = bootstrap_t_interval(std::array{1.0, 2.0, 3.0}, resamples, 0.95);
  EXPECT_NEAR(found.low, 2.0 - s, 1e-12);
  EXPECT_NEAR(found.high, 2.0 + 3.0 * s, 1e-12);
}

// Le Boudec's table of order statistics: of 100 values the 40th and the 61st, at 95 %.
TEST(IndependentMedianInterval, IsThatOfTheTable) {
  std::vector<double> values(100);
  std::iota(values.rbegin(), values.rend(), 1.0);
  EXPECT_EQ(independent_median_interval(values, 0.95), (Interval{40.0, 61.0}));
}

TEST(SamplesUntilQuiet, AreTheFewestOfAQuietMachine) {
  EXPECT_EQ(samples_until_quiet(std::vector<double>(100, 1.0)), 10U);
}

// 0.9 and 1.1 in turn: their noise is 10 % and settled, so the 64 values from the 10th sample on
// are enough.
TEST(SamplesUntilQuiet, EndOnceNoiseHasSettled) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i % 2 == 0 ? 0.9 : 1.1);
  EXPECT_EQ(samples_until_quiet(values), 73U);
}

TEST(SamplesUntilQuiet, AreAllWhereItNeverSettles) {
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) values.push_back(1.0 + i);
  EXPECT_EQ(samples_until_quiet(values), 60U);
}

}  // namespace
}  // namespace splitbench::proof

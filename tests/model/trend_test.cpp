// Whether times still change from round to round.
#include "model/trend.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/model/noise.h"

namespace splitbench {
namespace {

using Series = std::vector<std::vector<double>>;

// Of the 4! orders of four values one has all 6 pairs ascending and one none (p = 2/24); 3 have 5
// ascending and 3 have 1 (Kendall's table for n = 4: P(|S| >= 4) = 8/24).
TEST(FindTrend, HasTheDistributionOfKendallsTable) {
  EXPECT_NEAR(find_trend(Series{{1, 2, 3, 4}}, 0.1)->p_value, 2.0 / 24.0, 1e-12);
  EXPECT_NEAR(find_trend(Series{{4, 3, 2, 1}}, 0.1)->p_value, 2.0 / 24.0, 1e-12);
  EXPECT_NEAR(find_trend(Series{{1, 3, 2, 4}}, 0.1)->p_value, 8.0 / 24.0, 1e-12);
  EXPECT_NEAR(find_trend(Series{{2, 1, 4, 3, 5}}, 0.1)->p_value, 28.0 / 120.0, 1e-12);
  EXPECT_NEAR(find_trend(Series{{5, 5, 5, 5}}, 0.1)->p_value, 1.0, 1e-12);
}

// Both of two series in one of 24 orders, and in the opposite one: 2/576.
TEST(FindTrend, AddsUpSessions) {
  EXPECT_NEAR(find_trend(Series{{1, 2, 3, 4}, {7, 8, 9, 10}}, 0.1)->p_value, 2.0 / 576.0, 1e-12);
  EXPECT_NEAR(find_trend(Series{{1, 2, 3, 4}, {10, 9, 8, 7}}, 0.1)->p_value, 1.0, 1e-12);
}

// 3.5 over 1.5; and the geometric mean of that and of no change.
TEST(FindTrend, SaysHowMuchChanges) {
  EXPECT_NEAR(find_trend(Series{{1, 2, 3, 4}}, 0.1)->change, 3.5 / 1.5 - 1.0, 1e-12);
  EXPECT_NEAR(find_trend(Series{{1, 2, 3, 4}, {5, 5, 5, 5}, {2}}, 0.1)->change,
              std::sqrt(3.5 / 1.5) - 1.0, 1e-12);
}

// Three rounds that grow: one order of 6, and its opposite.
TEST(FindTrend, HasNoAnswerWhereNothingCouldBeFound) {
  EXPECT_EQ(find_trend(Series{{1, 2, 3}}, 0.05).reason(), "too few rounds for a trend to show");
  EXPECT_TRUE(find_trend(Series{{1, 2, 3}}, 0.34));
  EXPECT_FALSE(find_trend(Series{{1}, {2}}, 0.05));
  EXPECT_FALSE(find_trend(Series{}, 0.05));
}

// 40 rounds are judged by the normal distribution: without a trend 1 list in 20 looks like one.
TEST(FindTrend, IsAsOftenWrongAsItSays) {
  for (const std::size_t rounds : {8U, 40U}) {
    Random random(rounds);
    int alarms = 0;
    constexpr int kLists = 2000;
    for (int list = 0; list < kLists; ++list) {
      Series series(1);
      for (std::size_t i = 0; i < rounds; ++i) series[0].push_back(10.0 + normal(random));
      if (find_trend(series, 0.05)->p_value <= 0.05) ++alarms;
    }
    EXPECT_LE(alarms, kLists * 0.065) << rounds;
    EXPECT_GE(alarms, kLists * 0.03) << rounds;
  }
}

TEST(ByDevice, TellsThatDevicesDifferFromATrend) {
  const std::vector<RoundTime> in_turn{{0, 5}, {1, 9}, {0, 6}, {1, 8}};
  EXPECT_EQ(by_device(in_turn), (Series{{5, 6}, {9, 8}}));
  EXPECT_EQ(by_device({}), Series{});
}

std::vector<RoundTime> on_one_device(std::initializer_list<double> times) {
  std::vector<RoundTime> rounds;
  for (const double time : times) rounds.push_back({0, time});
  return rounds;
}

TEST(IsQuiet, IsNotWhereOneStepOfManyStillFalls) {
  std::vector<std::vector<RoundTime>> steps(20, on_one_device({5, 4, 5, 6, 5, 4, 6, 5}));
  EXPECT_TRUE(is_quiet(steps, 0.05, 0.01));
  steps[7] = on_one_device({9, 8, 7, 6, 5, 4, 3, 2});  // 2/8! = 1/20160, below 0.05/20
  EXPECT_FALSE(is_quiet(steps, 0.05, 0.01));
  EXPECT_TRUE(is_quiet(steps, 0.0005, 0.01));  // 0.0005/20 = 1/40000
  steps[7] = on_one_device({9, 8});
  EXPECT_TRUE(is_quiet(steps, 0.05, 0.01));
  EXPECT_TRUE(is_quiet({}, 0.05, 0.01));
}

// The same order, but the later half is only 0.4 % shorter.
TEST(IsQuiet, IsWhereTheChangeDoesNotCount) {
  const std::vector<std::vector<RoundTime>> steps{
      on_one_device({1.007, 1.006, 1.005, 1.004, 1.003, 1.002, 1.001, 1.0})};
  EXPECT_TRUE(is_quiet(steps, 0.05, 0.01));
  EXPECT_FALSE(is_quiet(steps, 0.05, 0.001));
}

}  // namespace
}  // namespace splitbench

// Bootstrap intervals of upper percentiles.
#include "model/tail.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/model/noise.h"

namespace splitbench {
namespace {

// Two sessions of one sample, 1 and 2. Of two drawn sessions both are the first with a chance of
// 1/4, and then the percentile is 1; else it is 2.
TEST(TailIntervals, OfTwoSamplesIsBoth) {
  const std::vector<RoundSamples> sessions{{{1.0}}, {{2.0}}};
  const auto intervals = tail_intervals(sessions, std::array{0.95}, 0.95, 1000).value();
  EXPECT_EQ(intervals.at(0), (Interval{1.0, 2.0}));
}

// Rounds are drawn as a whole: the two samples of a round never part. Of two rounds (1, 1) and
// (3, 3) in each of two sessions every median is 1 or 3.
TEST(TailIntervals, KeepRoundsTogether) {
  const RoundSamples session{{1.0, 1.0}, {3.0, 3.0}};
  const std::vector<RoundSamples> sessions{session, session};
  const auto intervals = tail_intervals(sessions, std::array{0.99}, 0.5, 200).value();
  EXPECT_EQ(intervals.at(0), (Interval{3.0, 3.0}));  // 4 rounds of which none is the second: 1/16
}

TEST(TailIntervals, NeedTwoSessions) {
  const std::vector<RoundSamples> one{{{1.0, 2.0}, {3.0}}, {}, {{}}};
  EXPECT_EQ(tail_intervals(one, std::array{0.95}, 0.95, 100).reason(),
            "one session has no interval; at least 2 are needed");
}

TEST(TailIntervals, AreTheSameEveryTime) {
  const std::vector<RoundSamples> sessions{{{1.0, 5.0}, {2.0}}, {{2.0}, {7.0}}, {{3.0}}};
  const std::array shares{0.95, 0.99};
  EXPECT_EQ(tail_intervals(sessions, shares, 0.9, 300).value(),
            tail_intervals(sessions, shares, 0.9, 300).value());
}

// Exponential samples of mean 1 in 20 sessions: the 95th percentile is ln 20. The percentile
// bootstrap covers less than it says, 86 to 92 % in simulations of this design, never 80.
TEST(TailIntervals, HoldThePercentileOfAnExponential) {
  Random random(23);
  int held = 0;
  constexpr int kRuns = 200;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<RoundSamples> sessions(20, RoundSamples(5, std::vector<double>(4)));
    for (RoundSamples& session : sessions) {
      for (auto& round : session) {
        for (double& sample : round) sample = -std::log(1.0 - random.uniform());
      }
    }
    const auto intervals = tail_intervals(sessions, std::array{0.95}, 0.95, 400).value();
    if (intervals.at(0).contains(std::log(20.0))) ++held;
  }
  EXPECT_GE(held, kRuns * 86 / 100);
  EXPECT_LE(held, kRuns * 99 / 100);
}

}  // namespace
}  // namespace splitbench

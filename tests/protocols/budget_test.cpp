// What is dropped for want of time, in which order. Times are worked by hand from the costs below.
#include "protocols/budget.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/protocols/bad_protocols.h"

namespace splitbench {
namespace {

// One second for each step, and ten for each session.
PlanCost one_second_steps() {
  return {[](const Step&) { return Seconds(1); }, Seconds(10)};
}

// Two points with 100 and 200 tokens, all arms; sizes around at a factor of 2 and of 1.41, a grid
// of two sizes. Steps of a round, by hand:
//   per point: empty 2, serial 2, full, shard, shard_alone, collective,
//              collective_pipelined, unsplit, split, split_without_collective, twin: 13; around: 4
//   once:      grid 2
// which is 2 x 17 + 2 = 36. With 6 sessions of 1 + 5 rounds: 6 x (10 + 6 x 36) = 1356 s.
Protocol two_points() {
  Protocol protocol = load_protocol(kSmallestDocument, "x.json");
  protocol.points = {{100, 768, 3072, 4, DataType::fp32}, {200, 768, 3072, 4, DataType::fp32}};
  protocol.sampling.warmup_rounds = 1;
  protocol.collective_sweep.around = {-1, -0.5, 0, 0.5, 1};
  protocol.collective_sweep.grid = {Bytes(4096), Bytes(65536)};
  return protocol;
}

// Time left when `steps` of the 36 are left.
Seconds time_with(int steps) {
  return Seconds(6 * (10 + 6 * steps));
}

TEST(Budget, EstimateIsSessionsTimesRoundsTimesSteps) {
  EXPECT_EQ(estimated_time(two_points(), one_second_steps()), Seconds(1356));
  PlanCost cost = one_second_steps();
  cost.once = Seconds(20);
  EXPECT_EQ(estimated_time(two_points(), cost), Seconds(1376));
}

TEST(Budget, WhatFitsIsLeftAlone) {
  const FittedProtocol fitted = fit_to_budget(two_points(), one_second_steps(), Seconds(1356));
  EXPECT_TRUE(fitted.fits);
  EXPECT_TRUE(fitted.dropped.empty());
  EXPECT_EQ(fitted.protocol, two_points());
}

TEST(Budget, DropsCoarseGridThenSweepThenPipelinedThenTwinThenPoints) {
  // 36 - 2 grid - 8 around - 2 pipelined - 2 twin = 22 steps, two points of 11; one of them
  // leaves 11.
  const FittedProtocol fitted = fit_to_budget(two_points(), one_second_steps(), time_with(11));
  EXPECT_TRUE(fitted.fits);
  EXPECT_EQ(fitted.estimated, time_with(11));
  ASSERT_EQ(fitted.dropped.size(), 7U);
  EXPECT_EQ(fitted.dropped[0], "The collective at 65536 bytes (coarse grid) was dropped.");
  EXPECT_EQ(fitted.dropped[1], "The collective at 4096 bytes (coarse grid) was dropped.");
  EXPECT_EQ(
      fitted.dropped[2],
      "The collective at sizes a factor of 1.414 from the operation's own (sweep) was dropped.");
  EXPECT_EQ(
      fitted.dropped[3],
      "The collective at sizes a factor of 2.0 from the operation's own (sweep) was dropped.");
  EXPECT_EQ(fitted.dropped[4],
            "The arm collective_pipelined was dropped: nothing says what an all-reduce takes back "
            "to back.");
  EXPECT_EQ(fitted.dropped[5],
            "The arm twin was dropped: the least effect is not checked by an A/A comparison.");
  EXPECT_EQ(fitted.dropped[6],
            "The operation with 200 tokens, d_model 768, d_ff 3072, 4 layers in fp32 was dropped.");
  EXPECT_EQ(fitted.protocol.points, (std::vector<Operation>{two_points().points[0]}));
  EXPECT_EQ(fitted.protocol.sampling, two_points().sampling);
}

TEST(Budget, DropsNoMoreThanItMust) {
  const FittedProtocol fitted = fit_to_budget(two_points(), one_second_steps(), time_with(35));
  EXPECT_EQ(fitted.dropped.size(), 1U);
  EXPECT_EQ(fitted.protocol.collective_sweep.grid, (std::vector<Bytes>{Bytes(4096)}));
}

TEST(Budget, RoundsAndSessionsGoLastAndNeverBelowWhatAVerdictTakes) {
  Protocol protocol = two_points();
  protocol.sampling.sessions = 9;
  protocol.sampling.rounds = 8;
  // 11 steps are left of one point: 9 x (10 + 9 x 11) = 981, with 5 rounds 9 x 76 = 684, with
  // 8 sessions 608, with 7 532, with 6 456.
  const FittedProtocol fitted = fit_to_budget(protocol, one_second_steps(), Seconds(540));
  EXPECT_TRUE(fitted.fits);
  EXPECT_EQ(fitted.estimated, Seconds(532));
  EXPECT_EQ(fitted.protocol.sampling.rounds, 5);
  EXPECT_EQ(fitted.protocol.sampling.sessions, 7);
  ASSERT_EQ(fitted.dropped.size(), 9U);
  EXPECT_EQ(fitted.dropped[7], "Of 8 rounds in each session 5 are left.");
  EXPECT_EQ(fitted.dropped[8], "Of 9 sessions 7 are left.");

  const FittedProtocol too_long = fit_to_budget(protocol, one_second_steps(), Seconds(455));
  EXPECT_FALSE(too_long.fits);
  EXPECT_EQ(too_long.estimated, Seconds(456));
  EXPECT_EQ(too_long.protocol.sampling.sessions, 6);
}

TEST(Budget, FewerSessionsThanAVerdictTakesAreLeftAsAsked) {
  Protocol protocol = two_points();
  protocol.sampling.sessions = 2;
  protocol.sampling.rounds = 1;
  const FittedProtocol fitted = fit_to_budget(protocol, one_second_steps(), Seconds(0));
  EXPECT_FALSE(fitted.fits);
  EXPECT_EQ(fitted.protocol.sampling.sessions, 2);
  EXPECT_EQ(fitted.protocol.sampling.rounds, 1);
}

TEST(Budget, SizesOfASweepThatIsNotMeasuredAreNotSpokenOf) {
  Protocol protocol = two_points();
  std::erase(protocol.arms, Arm::collective_sweep);
  const FittedProtocol fitted = fit_to_budget(protocol, one_second_steps(), time_with(22));
  ASSERT_EQ(fitted.dropped.size(), 2U);
  EXPECT_NE(fitted.dropped[1].find("twin"), std::string::npos);
}

RC_GTEST_PROP(Budget, FittedPlanTakesNoLongerThanSaidAndStillLoads, (std::uint16_t seconds)) {
  const Protocol protocol = two_points();
  const FittedProtocol fitted = fit_to_budget(protocol, one_second_steps(), Seconds(seconds));
  RC_ASSERT(fitted.fits == (fitted.estimated <= Seconds(seconds)));
  RC_ASSERT(fitted.fits == (seconds >= 456));  // 6 sessions, one point, 11 steps: 6 x 76
  check(fitted.protocol, "fitted");
}

}  // namespace
}  // namespace splitbench

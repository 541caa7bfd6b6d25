// Events without noise: every expected time is added up by hand.
#include "harness/backends/simulated/simulation.h"

#include <gtest/gtest.h>

#include "harness/backends/simulated/verify.h"
#include "harness/error.h"
#include "tests/harness/simulated/worked.h"

namespace splitbench::simulated {
namespace {

constexpr double kExact = 1e-13;  // s; a few roundings of milliseconds
constexpr double kSerial = 0.2e-3;
constexpr double kProduct = 3e-3;
constexpr double kShard = 1.875e-3;      // 3 ms / (2 x 0.8)
constexpr double kCollective = 0.23e-3;  // 30 us + 2 MB / 10 GB/s

Block run(const Scenario& scenario, const Step& step, int ranks = 2) {
  return Simulation(scenario, ranks, 1, 0).run(worked_operation(), step, 1);
}

void expect_times(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], kExact) << "time " << i;
  }
}

// T1 12.8 ms and T2 9.22 ms: the documentation's table.
TEST(Simulation, GivesTheWorkedCase) {
  const Scenario scenario = worked_scenario();
  expect_times(run(scenario, on_rank(Arm::unsplit, 1)).seconds, {12.8e-3});
  expect_times(run(scenario, on_rank(Arm::twin, 0)).seconds, {12.8e-3});
  expect_times(run(scenario, on_all_ranks(Arm::split)).seconds, {9.22e-3, 9.22e-3});
  expect_times(run(scenario, on_rank(Arm::serial, 0)).seconds, {0.8e-3});
  expect_times(run(scenario, on_rank(Arm::full, 0)).seconds, {12e-3});
  expect_times(run(scenario, on_all_ranks(Arm::shard)).seconds, {7.5e-3, 7.5e-3});
  expect_times(run(scenario, on_all_ranks(Arm::collective)).seconds, {0.23e-3, 0.23e-3});
  expect_times(run(scenario, on_all_ranks(Arm::collective_pipelined)).seconds, {0.23e-3, 0.23e-3});
  expect_times(run(scenario, on_all_ranks(Arm::split_without_collective)).seconds,
               {8.3e-3, 8.3e-3});
  expect_times(run(scenario, on_all_ranks(Arm::empty)).seconds, {0.0, 0.0});
}

TEST(Simulation, WorkOfAllRanksAtOnceMayTakeLonger) {
  Scenario scenario = worked_scenario();
  scenario.serial_extra_s = 10e-6;
  scenario.shared_factor = 1.25;
  expect_times(run(scenario, on_all_ranks(Arm::serial)).seconds, {0.84e-3, 0.84e-3});
  expect_times(run(scenario, on_rank(Arm::serial, 0)).seconds, {0.8e-3});
  expect_times(run(scenario, on_rank(Arm::shard_alone, 0)).seconds, {6e-3});  // 7.5 / 1.25
}

// 4 x 500 x 1000 x 4000 flops at 1 Tflop/s: 8 ms a layer.
TEST(Simulation, ProductsTakeWhatTheirFlopsDoWhereNoTimeIsGiven) {
  Scenario scenario = worked_scenario();
  scenario.product_s.reset();
  scenario.flops_per_s = 1e12;
  expect_times(run(scenario, on_rank(Arm::full, 0)).seconds, {32e-3});
}

// A stamp reads the clock and then costs 1 us: every interval between two stamps has one.
TEST(Simulation, EveryIntervalBetweenTwoStampsHoldsTheirCostOnce) {
  Scenario scenario = worked_scenario();
  scenario.stamp_s = 2e-6;
  scenario.stamp_all_ranks_s = 1e-6;
  expect_times(run(scenario, on_rank(Arm::empty, 0)).seconds, {2e-6});
  expect_times(run(scenario, on_all_ranks(Arm::empty)).seconds, {1e-6, 1e-6});
  const Block shard = run(scenario, on_all_ranks(Arm::shard));
  expect_times(shard.seconds, {7.505e-3, 7.505e-3});  // five stamps before the last
  expect_times(shard.layer_seconds, std::vector<double>(8, kShard + 1e-6));
  const Block split = run(scenario, on_all_ranks(Arm::split));
  expect_times(split.seconds, {9.229e-3, 9.229e-3});  // nine
  expect_times(split.layer_seconds, std::vector<double>(8, kCollective + 1e-6));
}

// The rank that is late by 7 us waits for nobody; the other one waits 7 us.
TEST(Simulation, ALateRankIsWaitedForInACollective) {
  Scenario scenario = worked_scenario();
  scenario.delays = {{.seconds = 7e-6, .at = Work::start, .rank = 1}};
  expect_times(run(scenario, on_all_ranks(Arm::collective)).seconds, {0.237e-3, 0.23e-3});
  expect_times(run(scenario, on_all_ranks(Arm::shard)).seconds, {7.5e-3, 7.5e-3});
  // In the first layer of four alone: after a collective all are level.
  expect_times(run(scenario, on_all_ranks(Arm::split)).seconds, {9.227e-3, 9.22e-3});
}

TEST(Simulation, ADelayInOneLayerOfOneRankIsInThatLayer) {
  Scenario scenario = worked_scenario();
  scenario.delays = {{.seconds = 50e-6, .at = Work::shard, .rank = 1, .layer = 2}};
  const Block shard = run(scenario, on_all_ranks(Arm::shard));
  expect_times(shard.seconds, {7.5e-3, 7.55e-3});
  expect_times(shard.layer_seconds, {kShard, kShard, kShard, kShard,            // layers 0 and 1
                                     kShard, kShard + 50e-6, kShard, kShard});  // layers 2 and 3
  const Block split = run(scenario, on_all_ranks(Arm::split));
  expect_times(split.seconds, {9.27e-3, 9.27e-3});
  expect_times(split.layer_seconds, {kCollective, kCollective, kCollective, kCollective,
                                     kCollective + 50e-6, kCollective, kCollective, kCollective});
}

TEST(Simulation, ADelayMayBeOfSomeArmsAlone) {
  Scenario scenario = worked_scenario();
  scenario.delays = {{.seconds = 50e-6, .at = Work::shard, .rank = 1, .arms = {Arm::split}}};
  expect_times(run(scenario, on_all_ranks(Arm::split)).seconds, {9.42e-3, 9.42e-3});
  expect_times(run(scenario, on_all_ranks(Arm::shard)).seconds, {7.5e-3, 7.5e-3});
}

// The split pays the slowest rank of every layer, work without collectives the slowest rank.
TEST(Simulation, TheSplitIsTheSumOverLayersOfTheSlowestRank) {
  Scenario scenario = worked_scenario();
  scenario.delays = {{.seconds = 100e-6, .at = Work::shard, .rank = 0, .layer = 0},
                     {.seconds = 100e-6, .at = Work::shard, .rank = 1, .layer = 1}};
  expect_times(run(scenario, on_all_ranks(Arm::split)).seconds, {9.42e-3, 9.42e-3});
  expect_times(run(scenario, on_all_ranks(Arm::split_without_collective)).seconds,
               {8.4e-3, 8.4e-3});
}

// Rank 1 at two thirds of its speed: 4 (1.5 (0.2 + 1.875) + 0.23) ms.
TEST(Simulation, AStragglerIsWaitedForInEveryLayer) {
  Scenario scenario = worked_scenario();
  scenario.slowdowns = {{.factor = 1.5, .rank = 1}};
  expect_times(run(scenario, on_all_ranks(Arm::split)).seconds, {13.37e-3, 13.37e-3});
  expect_times(run(scenario, on_all_ranks(Arm::shard)).seconds, {7.5e-3, 11.25e-3});
  expect_times(run(scenario, on_rank(Arm::unsplit, 0)).seconds, {12.8e-3});
  expect_times(run(scenario, on_rank(Arm::unsplit, 1)).seconds, {19.2e-3});
}

TEST(Simulation, ASlowLinkSlowsCollectivesAlone) {
  Scenario scenario = worked_scenario();
  scenario.slowdowns = {{.factor = 3, .work = {Work::collective}}};
  expect_times(run(scenario, on_all_ranks(Arm::collective)).seconds, {0.69e-3, 0.69e-3});
  expect_times(run(scenario, on_all_ranks(Arm::split)).seconds, {11.06e-3, 11.06e-3});
}

// Throttled from 10 ms on: of the second run of 12.8 ms all takes twice as long, of the first what
// comes after 10 ms: 10 + 2 x 2.8.
TEST(Simulation, ThrottlingBeginsAtItsTimeOfTheSession) {
  Scenario scenario = worked_scenario();
  scenario.slowdowns = {{.factor = 2, .rank = 0, .from_s = 10e-3}};
  Simulation simulation(scenario, 2, 1, 0);
  expect_times(simulation.run(worked_operation(), on_rank(Arm::unsplit, 0), 2).seconds,
               {15.6e-3, 25.6e-3});
  EXPECT_NEAR(simulation.now(), 41.2e-3, kExact);
}

// Rank 1 arrives 100 us after rank 0, and works at two thirds of its speed while that one waits.
TEST(Simulation, ContentionSlowsTheRanksThatStillWork) {
  Scenario scenario = worked_scenario();
  scenario.contention = 1.5;
  scenario.delays = {{.seconds = 100e-6, .at = Work::shard, .rank = 1, .layer = 3}};
  expect_times(run(scenario, on_all_ranks(Arm::split)).seconds, {9.37e-3, 9.37e-3});
  expect_times(run(scenario, on_all_ranks(Arm::split_without_collective)).seconds,
               {8.3e-3, 8.4e-3});
}

// Up to 1 MB 10 us and 20 GB/s, above 40 us and 10 GB/s, on 8 ranks: V = 1.75 M.
TEST(Simulation, TheProtocolOfACollectiveSwitchesAtItsSize) {
  Scenario scenario = worked_scenario();
  scenario.collective = {{.to_bytes = 1e6, .latency_s = 10e-6, .bandwidth_bytes_per_s = 20e9},
                         {.to_bytes = {}, .latency_s = 40e-6, .bandwidth_bytes_per_s = 10e9}};
  const auto at = [&](double bytes) {
    return run(scenario, {.point = 0, .arm = Arm::collective_sweep, .message = Bytes(bytes)}, 8)
        .seconds;
  };
  expect_times(at(0.8e6), std::vector<double>(8, 80e-6));         // 10 us + 1.4 MB / 20 GB/s
  expect_times(at(1e6), std::vector<double>(8, 97.5e-6));         // 10 us + 1.75 MB / 20 GB/s
  expect_times(at(1.0004e6), std::vector<double>(8, 215.07e-6));  // 40 + 175.07
}

TEST(Simulation, ARankThatHangsIsNamedWhereItTakesPart) {
  Scenario scenario = worked_scenario();
  scenario.faults = {{.fault = FaultKind::hang, .rank = 1, .after_s = 20e-3}};
  Simulation simulation(scenario, 2, 1, 0);
  const Operation operation = worked_operation();
  simulation.run(operation, on_all_ranks(Arm::split), 1);  // until 9.22 ms
  simulation.run(operation, on_rank(Arm::unsplit, 0), 1);  // until 22.02 ms, without rank 1
  try {
    simulation.run(operation, on_all_ranks(Arm::split), 1);
    FAIL() << "it went on";
  } catch (const HarnessError& error) {
    EXPECT_STREQ(error.what(),
                 "rank 1 hangs in arm split, as its scenario says: nothing is left that could "
                 "happen");
  }
}

TEST(Simulation, FaultsMayBeOfOneSessionAlone) {
  Scenario scenario = worked_scenario();
  scenario.faults = {{.fault = FaultKind::wrong_data, .rank = 1, .session = 3}};
  EXPECT_EQ(verify(Simulation(scenario, 2, 1, 0)).failure, "");
  EXPECT_EQ(verify(Simulation(scenario, 2, 1, 3)).failure,
            "rank 1 has wrong data, as its scenario says");
}

TEST(Simulation, ItsChecksPassUntilDataAreWrong) {
  Scenario scenario = worked_scenario();
  scenario.faults = {{.fault = FaultKind::wrong_data, .rank = 1, .after_s = 10e-3}};
  Simulation simulation(scenario, 2, 1, 0);
  const Correctness right = verify(simulation);
  EXPECT_TRUE(right.passed());
  EXPECT_FALSE(right.bound_informative);                            // nothing random was compared
  simulation.run(worked_operation(), on_rank(Arm::unsplit, 0), 1);  // 12.8 ms
  EXPECT_FALSE(verify(simulation).passed());
}

TEST(Simulation, WhatDoesNotFitOneDeviceIsSaid) {
  Scenario scenario = worked_scenario();
  scenario.memory_bytes = 127e6;  // weights: 4 layers x 2 x 1000 x 4000 x 4 bytes = 128 MB
  EXPECT_FALSE(fits_one_device(scenario, worked_operation()));
  EXPECT_EQ(memory_peak(scenario, worked_operation(), 2), Bytes(64e6));
  scenario.memory_bytes = 128e6;
  EXPECT_TRUE(fits_one_device(scenario, worked_operation()));
  EXPECT_EQ(memory_peak(scenario, worked_operation(), 2), Bytes(128e6));
}

// 10 s of work, slower by 2 from 4 s on: 4 + 2 x 6.
TEST(Pace, SlowsWhatIsLeftOfTheWork) {
  const Pace pace({{.factor = 2, .from_s = 4}});
  EXPECT_NEAR(pace.duration(Work::shard, 0, 0.0, 10.0), 16.0, 1e-12);
  EXPECT_NEAR(pace.duration(Work::shard, 0, 4.0, 10.0), 20.0, 1e-12);
  EXPECT_NEAR(pace.duration(Work::collective, {}, 4.0, 10.0), 10.0, 1e-12);
}

TEST(Pace, EndsWhereTheSlowdownDoes) {
  const Pace pace({{.factor = 4, .from_s = 0, .to_s = 8.0}});
  EXPECT_NEAR(pace.duration(Work::serial, 0, 0.0, 10.0), 16.0, 1e-12);  // 2 in 8 s, then 8
}

// Busy in the first 2 s of every 10: of 10 s of work 2/3 s in the first two, 8 in the next eight,
// 2/3 in the next two, and the last 2/3.
TEST(Pace, InterferenceComesBackEveryPeriod) {
  const Pace pace({{.factor = 3, .from_s = 0, .period_s = 10.0, .busy_s = 2}});
  EXPECT_NEAR(pace.duration(Work::product, 0, 0.0, 10.0), 12.0 + 2.0 / 3.0, 1e-12);
  EXPECT_NEAR(pace.duration(Work::product, 0, 1002.0, 8.0), 8.0, 1e-12);
}

TEST(Pace, SlowdownsMultiply) {
  const Pace pace({{.factor = 2}, {.factor = 3, .rank = 1}});
  EXPECT_NEAR(pace.duration(Work::shard, 0, 0.0, 1.0), 2.0, 1e-12);
  EXPECT_NEAR(pace.duration(Work::shard, 1, 0.0, 1.0), 6.0, 1e-12);
}

}  // namespace
}  // namespace splitbench::simulated

// Whole simulated runs under the analysis that any run gets: what was put in comes out.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "harness/backends/simulated/run.h"
#include "harness/error.h"
#include "model/analysis.h"
#include "results/point_samples.h"
#include "tests/harness/simulated/worked.h"

namespace splitbench::simulated {
namespace {

constexpr double kExact = 1e-9;  // relative: the analysis takes logarithms and least squares

PointAnalysis analysis_of(const Scenario& scenario, const Protocol& protocol) {
  const Records records = simulate(scenario, protocol, 1);
  const auto samples = point_samples(protocol, records.rounds);
  return analyse(samples[0].parameters, samples[0].validation, {}, 1);
}

void expect_relative(double actual, double expected) {
  EXPECT_NEAR(actual / expected, 1.0, kExact);
}

double term(const Attribution& attribution, std::string_view name) {
  const auto found = std::find_if(attribution.terms.begin(), attribution.terms.end(),
                                  [name](const Term& one) { return one.name == name; });
  return found->amount.value().value;
}

// Stamps cost something, all ranks at once are slower, and none of it may be in a parameter.
TEST(SimulatedRun, WithoutNoiseEveryParameterIsTheScenarios) {
  Scenario scenario = worked_scenario();
  scenario.stamp_s = 2e-6;
  scenario.stamp_all_ranks_s = 3e-6;
  scenario.serial_extra_s = 10e-6;
  const PointAnalysis analysis = analysis_of(scenario, worked_protocol(6, 5));
  const Parameters& found = analysis.forecast.parameters;
  expect_relative(found.empty->value, 2e-6);
  expect_relative(found.empty_all_ranks->value, 3e-6);
  expect_relative(found.serial->value, 0.8e-3);
  expect_relative(found.serial_extra->value, 40e-6);
  expect_relative(found.compute->value, 12e-3);
  expect_relative(found.efficiency->value, 0.8);
  expect_relative(found.latency->value, 30e-6);
  expect_relative(found.bandwidth->value, 10e9);
  expect_relative(found.collective->value, 0.23e-3);
  // 0.003 + 0.8 + 0.04 + 7.5 + 0.92 ms, and T1 0.002 + 12.8 ms.
  expect_relative(analysis.forecast.prediction.point->value, 9.263e-3);
  expect_relative(analysis.forecast.prediction.from_fit->value, 9.263e-3);
  expect_relative(analysis.measured.tn->value, 9.263e-3);
  expect_relative(analysis.measured.t1->value, 12.802e-3);
  EXPECT_NEAR(analysis.point.comparison.delta->value, 0.0, kExact);
  EXPECT_EQ(analysis.point.verdict.outcome, ModelOutcome::holds);
  EXPECT_EQ(analysis.from_fit.verdict.outcome, ModelOutcome::holds);
  EXPECT_EQ(analysis.split.outcome, SplitOutcome::faster);
}

// The documentation's table: break-even at 2.453 333 333 ms of compute for a bandwidth of 10 GB/s.
TEST(SimulatedRun, BreakEvensAreThoseOfTheWorkedCase) {
  const PointAnalysis analysis = analysis_of(worked_scenario(), worked_protocol(6, 5));
  const Parameters& found = analysis.forecast.parameters;
  EXPECT_NEAR(*found.break_even_compute.value, 2.453333333e-3, 1e-12);
  EXPECT_NEAR(*found.min_bandwidth.value, 1.826484018e9, 1.0);
  EXPECT_NEAR(*found.min_efficiency.value, 0.541516245, 1e-9);
}

// 1 GB/s: T2 16.42 ms against 12.8 ms.
TEST(SimulatedRun, ASlowLinkMakesTheSplitSlower) {
  Scenario scenario = worked_scenario();
  scenario.collective[0].bandwidth_bytes_per_s = 1e9;
  const PointAnalysis analysis = analysis_of(scenario, worked_protocol(6, 5));
  expect_relative(analysis.measured.speedup->value, 12.8 / 16.42);
  EXPECT_EQ(analysis.split.outcome, SplitOutcome::slower);
  EXPECT_EQ(analysis.point.verdict.outcome, ModelOutcome::holds);
}

// What a rank of the split loses that no parameter arm sees comes back whole, with slope 1, in the
// term of its place: before its collectives, or in work with and without them.
TEST(SimulatedRun, InjectedDelaysAreAttributedInFull) {
  for (const double delay : {0.0, 10e-6, 50e-6, 250e-6}) {
    Scenario scenario = worked_scenario();
    scenario.delays = {{.seconds = delay, .at = Work::collective, .rank = 1, .arms = {Arm::split}}};
    const Attribution waiting = analysis_of(scenario, worked_protocol(6, 5)).point.attribution;
    EXPECT_NEAR(waiting.difference.amount->value, 4 * delay, 1e-12);
    EXPECT_NEAR(term(waiting, "collective_in_place"), 4 * delay, 1e-12);
    EXPECT_NEAR(term(waiting, "composition"), 0.0, 1e-12);
    EXPECT_FALSE(waiting.unexplained);

    scenario.delays[0].at = Work::shard;
    scenario.delays[0].arms = {Arm::split, Arm::split_without_collective};
    const Attribution working = analysis_of(scenario, worked_protocol(6, 5)).point.attribution;
    EXPECT_NEAR(term(working, "composition"), 4 * delay, 1e-12);
    EXPECT_NEAR(term(working, "collective_in_place"), 0.0, 1e-12);
  }
}

// One straggler in every arm of all ranks alike: the model holds, as C_shard has it too.
TEST(SimulatedRun, AStragglerIsInTheEfficiencyAndThePredictionHolds) {
  Scenario scenario = worked_scenario();
  scenario.slowdowns = {{.factor = 1.25, .work = {Work::shard}, .rank = 1}};
  const PointAnalysis analysis = analysis_of(scenario, worked_protocol(6, 5));
  expect_relative(analysis.forecast.parameters.efficiency->value, 0.8 / 1.25);
  EXPECT_NEAR(analysis.point.comparison.delta->value, 0.0, kExact);
  EXPECT_EQ(analysis.point.verdict.outcome, ModelOutcome::holds);
}

// Contention that only the split has: rank 1 is late by 200 us a layer, and later by as much again.
TEST(SimulatedRun, ContentionMakesThePredictionFail) {
  Scenario scenario = worked_scenario();
  scenario.contention = 2;
  scenario.delays = {{.seconds = 200e-6, .at = Work::shard, .rank = 1}};
  const PointAnalysis analysis = analysis_of(scenario, worked_protocol(6, 5));
  expect_relative(analysis.forecast.prediction.point->value, 10.02e-3);
  expect_relative(analysis.measured.tn->value, 10.82e-3);
  EXPECT_EQ(analysis.point.verdict.outcome, ModelOutcome::fails);
}

// A switch above half a message: sizes on its other side are no part of the line at V.
TEST(SimulatedRun, AProtocolSwitchBesideTheMessageEndsTheLineThere) {
  Scenario scenario = worked_scenario();
  scenario.collective = {{.to_bytes = 1.5e6, .latency_s = 10e-6, .bandwidth_bytes_per_s = 40e9},
                         {.to_bytes = {}, .latency_s = 1e-3, .bandwidth_bytes_per_s = 10e9}};
  const PointAnalysis analysis = analysis_of(scenario, worked_protocol(6, 5));
  expect_relative(analysis.forecast.parameters.collective->value, 1.2e-3);
  EXPECT_EQ(analysis.point.verdict.outcome, ModelOutcome::holds);
  EXPECT_EQ(analysis.from_fit.verdict.outcome, ModelOutcome::holds);
  expect_relative(analysis.forecast.parameters.latency->value, 1e-3);
  expect_relative(analysis.forecast.parameters.bandwidth->value, 10e9);
}

// The sum over layers of the slower of two ranks, each log-normal: the parameters' medians alone
// would be too small, and the prediction is not. 200 repeats hold it within 0.2 %.
TEST(SimulatedRun, IndependentLayersDoNotBiasThePrediction) {
  Scenario scenario = worked_scenario();
  scenario.noise.layer_cv = 0.1;
  const Protocol protocol = worked_protocol(10, 20);
  const auto samples = point_samples(protocol, simulate(scenario, protocol, 10).rounds);
  const PointAnalysis analysis = analyse(samples[0].parameters, samples[0].validation, {}, 1);
  EXPECT_NEAR(analysis.point.comparison.delta->value, 0.0, 0.004);
  EXPECT_GT(analysis.measured.tn->value / 9.22e-3, 1.03);
}

TEST(SimulatedRun, SessionsDoNotDependOnHowManyThereAre) {
  Scenario scenario = worked_scenario();
  scenario.noise.session.work = 0.02;
  scenario.noise.layer_cv = 0.05;
  const Records few = simulate(scenario, worked_protocol(2, 3), 2);
  const Records more = simulate(scenario, worked_protocol(4, 3), 2);
  ASSERT_EQ(few.rounds.size(), 6U);
  ASSERT_EQ(more.rounds.size(), 12U);
  for (std::size_t i = 0; i < few.rounds.size(); ++i) {
    ASSERT_EQ(few.rounds[i].blocks.size(), more.rounds[i].blocks.size());
    for (std::size_t k = 0; k < few.rounds[i].blocks.size(); ++k) {
      EXPECT_EQ(few.rounds[i].blocks[k].block.seconds, more.rounds[i].blocks[k].block.seconds);
    }
  }
}

TEST(SimulatedRun, ThousandsOfRanks) {
  Protocol protocol = worked_protocol(1, 1);
  protocol.ranks = 4096;
  protocol.points[0].d_ff = 4096;
  protocol.sampling.warmup_rounds = 0;
  const Records records = simulate(worked_scenario(), protocol, 1);
  for (const StepBlock& one : records.rounds.at(0).blocks) {
    if (one.step.arm != Arm::split) continue;
    // 0.2 ms + 3 ms / (4096 x 0.8) + 30 us + 2 x 4095 / 4096 x 2 MB / 10 GB/s, four times.
    EXPECT_NEAR(one.block.seconds.at(4095), 4 * (0.2e-3 + 3e-3 / 3276.8 + 30e-6 + 0.399902344e-3),
                1e-9);
    return;
  }
  FAIL() << "no split";
}

TEST(SimulatedRun, WhatDoesNotFitIsNotRun) {
  Scenario scenario = worked_scenario();
  scenario.memory_bytes = 100e6;
  const PointAnalysis analysis = analysis_of(scenario, worked_protocol(6, 5));
  EXPECT_EQ(analysis.split.outcome, SplitOutcome::fits_only_split);
  expect_relative(analysis.measured.tn->value, 9.22e-3);
}

TEST(SimulatedRun, ItsFaultsAreThoseOfTheScript) {
  Scenario scenario = worked_scenario();
  scenario.faults = {{.fault = FaultKind::wrong_data, .rank = 1, .after_s = 0.1, .session = 1}};
  const Records records = simulate(scenario, worked_protocol(2, 5), 1);
  EXPECT_TRUE(records.sessions[0].correctness[0].passed());
  EXPECT_FALSE(records.sessions[1].correctness[0].passed());
  scenario.faults[0].fault = FaultKind::hang;
  EXPECT_THROW(simulate(scenario, worked_protocol(2, 5), 1), HarnessError);
}

}  // namespace
}  // namespace splitbench::simulated

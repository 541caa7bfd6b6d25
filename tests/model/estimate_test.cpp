// The parameters, read out of samples whose truth is known.
#include "model/estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/prediction.h"
#include "model/worked_cases.h"
#include "tests/model/scenario.h"

namespace splitbench {
namespace {

using Arm = ParameterArm;

Scenario base(double empty = 0.0, double empty_all_ranks = 0.0) {
  return {.truth = worked_base_case(), .empty = empty, .empty_all_ranks = empty_all_ranks};
}

TEST(Estimate, TakesOffEachArmsOwnFixedCostOnce) {
  const Parameters p = estimate(parameter_samples(base(2e-6, 5e-6)), 0.95);
  EXPECT_NEAR(p.empty.value().value, 2e-6, 1e-18);
  EXPECT_NEAR(p.empty_all_ranks.value().value, 5e-6, 1e-18);
  EXPECT_NEAR(p.serial.value().value, 0.8e-3, 1e-15);
  EXPECT_NEAR(p.serial_extra.value().value, 0.0, 1e-15);
  EXPECT_NEAR(p.compute.value().value, 12e-3, 1e-15);
  EXPECT_NEAR(p.shard.value().value, 7.5e-3, 1e-15);  // 12 / (2 * 0.8)
  EXPECT_NEAR(p.shard_alone.value().value, 7.5e-3, 1e-15);
  EXPECT_NEAR(p.efficiency.value().value, 0.8, 1e-12);
  EXPECT_NEAR(p.collective.value().value, 0.23e-3, 1e-15);  // 0.03 + 2 MB / 10 GB/s
  EXPECT_NEAR(p.latency.value().value, 0.03e-3, 1e-15);
  EXPECT_NEAR(p.bandwidth.value().value, 10e9, 1.0);
  EXPECT_EQ(p.valid_for_bytes.value(), (Interval{1e6, 4e6}));
  EXPECT_LT(p.line_max_relative_error.value(), 1e-9);
  EXPECT_TRUE(p.notes.empty());
}

TEST(Estimate, SeparatesWhatTheSerialPartTakesMoreOnAllRanksAtOnce) {
  Scenario scenario = base(1e-6, 1e-6);
  scenario.truth.serial_extra = Seconds(0.1e-3);
  const Parameters p = estimate(parameter_samples(scenario), 0.95);
  EXPECT_NEAR(p.serial.value().value, 0.8e-3, 1e-15);
  EXPECT_NEAR(p.serial_extra.value().value, 0.1e-3, 1e-15);
}

TEST(Estimate, CIsThatOfTheDeviceThatIsFasterOverAllSessions) {
  ParameterSamples samples = parameter_samples(base());
  for (ParameterSession& session : samples.sessions) {
    for (const Arm arm : {Arm::empty, Arm::serial, Arm::full}) {
      for (Block& block : session.arms[arm]) block.device = block.round % 2;
    }
    for (Block& block : session.arms[Arm::full]) {
      // Device 1 is faster but for one session.
      const double other = session.session == 2 ? 13e-3 : 11e-3;
      if (block.device == 1) block.seconds.assign(block.seconds.size(), other);
    }
  }
  const Parameters p = estimate(samples, 0.95);
  EXPECT_EQ(p.device, 1);
  EXPECT_NEAR(p.compute.value().value, std::pow(11e-3, 5.0 / 6.0) * std::pow(13e-3, 1.0 / 6.0),
              1e-12);
}

// What slows compute and shard of a session alike leaves their ratio alone.
TEST(Estimate, PairsEfficiencyInsideTheSession) {
  Scenario scenario = base();
  scenario.effect = [](std::string_view work, int session) {
    return work == "compute" || work == "shard" ? 1.0 + 0.05 * session : 1.0;
  };
  const Parameters p = estimate(parameter_samples(scenario), 0.95);
  const Interval compute = *p.compute.value().interval;
  const Interval efficiency = *p.efficiency.value().interval;
  EXPECT_GT(compute.high / compute.low, 1.1);
  EXPECT_NEAR(efficiency.low, 0.8, 1e-9);
  EXPECT_NEAR(efficiency.high, 0.8, 1e-9);
}

TEST(Estimate, TheShardIsTheSumOverLayersOfTheSlowestRank) {
  ParameterSamples samples = parameter_samples(base());
  for (ParameterSession& session : samples.sessions) {
    for (Block& block : session.arms[Arm::shard]) {
      for (std::ptrdiff_t repeat = 0; repeat < 4; ++repeat) {
        // Ranks take turns at being slow: each takes 6 ms, the layers 1 + 2 + 1 + 2 = 8 ms.
        const double layers[] = {1e-3, 2e-3, 2e-3, 1e-3, 1e-3, 2e-3, 2e-3, 1e-3};
        std::copy(std::begin(layers), std::end(layers), block.layer_seconds.begin() + repeat * 8);
      }
    }
  }
  EXPECT_NEAR(estimate(samples, 0.95).shard.value().value, 8e-3, 1e-15);
}

// Device 1 takes 9 ms alone, device 0 7.5 ms; all at once take as long as device 1: nothing is lost
// by sharing. The median of both together would be 7.5 ms (three rounds of five), and the loss 1.2.
TEST(Estimate, TheShardAloneIsThatOfTheSlowestDevice) {
  ParameterSamples samples = parameter_samples(base(2e-6, 5e-6));
  for (ParameterSession& session : samples.sessions) {
    for (Block& block : session.arms[Arm::shard_alone]) {
      if (block.device == 0) continue;
      block = layered_block(block.round, 1, 4, 4, 9e-3, 2e-6);
      block.device = 1;
    }
  }
  EXPECT_NEAR(estimate(samples, 0.95).shard_alone.value().value, 9e-3, 1e-15);
  // A session that did not see the slow device is left out, not taken for a fast one.
  std::erase_if(samples.sessions[2].arms[Arm::shard_alone],
                [](const Block& block) { return block.device == 1; });
  const Parameters p = estimate(samples, 0.95);
  EXPECT_NEAR(p.shard_alone.value().value, 9e-3, 1e-15);
  EXPECT_EQ(p.shard_alone.value().sessions, 5U);
  EXPECT_FALSE(p.sessions[2].shard_alone.has_value());
}

TEST(Estimate, HasNoShardAloneWhereNoSessionSawEveryDevice) {
  Scenario scenario = base();
  scenario.rounds = 1;
  EXPECT_EQ(estimate(parameter_samples(scenario), 0.95).shard_alone.reason(),
            "shard_alone: no session ran it on every device; that takes 2 rounds, one a device");
}

TEST(Estimate, ReportsTheCollectiveWithoutWaitingToo) {
  ParameterSamples samples = parameter_samples(base());
  for (ParameterSession& session : samples.sessions) {
    for (Block& block : session.arms[Arm::collective]) {
      for (std::size_t i = 0; i < block.seconds.size(); i += 2) block.seconds[i] = 0.2e-3;
    }
  }
  const Parameters p = estimate(samples, 0.95);
  EXPECT_NEAR(p.collective.value().value, 0.23e-3, 1e-15);
  EXPECT_NEAR(p.collective_shortest.value().value, 0.2e-3, 1e-15);
}

// Four collectives share one pair of stamps, so a quarter of e is taken off. l = 0.03 ms, of which
// the scenario takes half, and V/B = 0.2 ms.
TEST(Estimate, ReportsTheCollectiveBackToBackAndPredictsNothingFromIt) {
  ParameterSamples samples = parameter_samples(base(2e-6, 4e-6));
  EXPECT_NEAR(estimate(samples, 0.95).collective_pipelined.value().value, 0.215e-3, 1e-15);
  const Prediction before = predict(samples, estimate(samples, 0.95), 0.95, 100, 1);
  for (ParameterSession& session : samples.sessions) session.arms[Arm::collective_pipelined] = {};
  const Prediction after = predict(samples, estimate(samples, 0.95), 0.95, 100, 1);
  EXPECT_EQ(before.point.value().value, after.point.value().value);
}

TEST(Estimate, KeepsWhatComesOutNegativeAndSaysSo) {
  ParameterSamples samples = parameter_samples(base(2e-6, 2e-6));
  for (Block& block : samples.sessions[1].arms[Arm::serial]) {
    block = layered_block(block.round, 1, 4, 4, -0.5e-6, 2e-6);
  }
  const Parameters p = estimate(samples, 0.95);
  EXPECT_NEAR(p.sessions[1].serial.value(), -0.5e-6, 1e-15);
  EXPECT_EQ(p.serial.value().scale, Scale::linear);
  EXPECT_NEAR(p.serial.value().value, (5 * 0.8e-3 - 0.5e-6) / 6, 1e-12);
  ASSERT_EQ(p.notes.size(), 1U);
  EXPECT_EQ(p.notes[0],
            "the serial part is below the fixed cost of the stamps in 1 of 6 sessions: too short "
            "for this clock, kept as measured");
}

TEST(Estimate, TheLineNeverSeesVItself) {
  ParameterSamples samples = parameter_samples(base());
  for (ParameterSession& session : samples.sessions) {
    for (SweepSize& size : session.sweep) {
      if (size.wire != samples.wire) continue;
      for (Block& block : size.blocks) block.seconds.assign(block.seconds.size(), 1.0);
    }
  }
  const Parameters p = estimate(samples, 0.95);
  EXPECT_NEAR(p.latency.value().value, 0.03e-3, 1e-15);
  EXPECT_NEAR(p.bandwidth.value().value, 10e9, 1.0);
}

TEST(Estimate, SaysWhichSessionsHaveNoLine) {
  ParameterSamples samples = parameter_samples(base());
  samples.sessions[4].sweep.resize(2);
  const Parameters p = estimate(samples, 0.95);
  EXPECT_EQ(p.latency.value().sessions, 5U);
  ASSERT_EQ(p.notes.size(), 1U);
  EXPECT_EQ(p.notes[0],
            "1 of 6 sessions have no line of the collective: a line needs at least 3 distinct "
            "sizes, there are 2");
}

// The base case with every collective above V taking half as long again: a line through all six
// sizes would describe neither side, and V lies between them.
TEST(Estimate, HasNoLineWhereItBreaksAtV) {
  ParameterSamples samples = parameter_samples(base());
  for (ParameterSession& session : samples.sessions) {
    for (SweepSize& size : session.sweep) {
      if (size.wire <= samples.wire) continue;
      for (Block& block : size.blocks) {
        for (double& seconds : block.seconds) seconds *= 1.5;
      }
    }
  }
  const Parameters p = estimate(samples, 0.95);
  EXPECT_TRUE(p.bimodal);
  ASSERT_EQ(p.segments->size(), 2U);
  EXPECT_NEAR(p.segments->at(0).largest.value(), 2e6 * std::exp2(-0.25), 1);
  EXPECT_NEAR(p.segments->at(1).smallest.value(), 2e6 * std::exp2(0.25), 1);
  EXPECT_FALSE(p.latency);
  EXPECT_FALSE(p.collective_from_line);
  EXPECT_TRUE(p.collective);
  ASSERT_EQ(p.notes.size(), 2U);
  EXPECT_EQ(p.notes[0],
            "6 of 6 sessions have no line of the collective: bimodal: the line breaks between "
            "1.682 MB and 2.378 MB, and 2 MB lies between the two");
  EXPECT_EQ(p.notes[1].substr(0, 8), "bimodal:");
}

// l and 1/B move against each other from session to session such that l + V/B stays 230 us at
// V = 2 MB, to which no session adds anything: the interval of the time at V has no width, where
// those of l and B have.
TEST(Estimate, TheTimeFromTheLineKeepsWhatItsParametersShare) {
  ParameterSamples samples = parameter_samples(base());
  for (ParameterSession& session : samples.sessions) {
    const double latency = 30e-6 + 5e-6 * session.session;
    for (SweepSize& size : session.sweep) {
      const double seconds = latency + size.wire.value() * (230e-6 - latency) / 2e6;
      for (Block& block : size.blocks) block.seconds.assign(block.seconds.size(), seconds);
    }
  }
  const Parameters p = estimate(samples, 0.95);
  EXPECT_GT(p.latency->session_sd, 5e-6);
  EXPECT_NEAR(p.collective_from_line->value, 230e-6, 1e-12);
  EXPECT_LT(p.collective_from_line->session_sd, 1e-9);
}

// the documentation's worked cases (docs/formulas.md), row by row: C*, B_min, eta_min.
TEST(Estimate, BreakEvensAreThoseOfTheWorkedCases) {
  struct Row {
    double break_even_s, bandwidth, efficiency;
  };
  const Row rows[] = {{2.453333333e-3, 1.826484018e9, 0.541516245},
                      {2.453333333e-3, 31.372549020e9, 6.25},
                      {21.653333333e-3, 1.826484018e9, 1.546391753},
                      {0.746666667e-3, 1.826484018e9, 0.511945392},
                      {2.453333333e-3, 1.826484018e9, 0.541516245}};
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    Scenario scenario = base(1e-6, 3e-6);
    scenario.truth = worked_cases()[i].parameters;
    const Parameters p = estimate(parameter_samples(scenario), 0.95);
    SCOPED_TRACE(worked_cases()[i].change);
    EXPECT_NEAR(p.break_even_compute.value.value() / rows[i].break_even_s, 1.0, 1e-9);
    EXPECT_NEAR(p.min_bandwidth.value.value() / rows[i].bandwidth, 1.0, 1e-9);
    EXPECT_NEAR(p.min_efficiency.value.value() / rows[i].efficiency, 1.0, 1e-9);
    // Without noise the sets are the values alone.
    ASSERT_EQ(p.break_even_compute.set.value().parts.size(), 1U);
    EXPECT_NEAR(p.break_even_compute.set.value().parts[0].high / rows[i].break_even_s, 1.0, 1e-8);
    EXPECT_NEAR(p.min_bandwidth.set.value().parts[0].low / rows[i].bandwidth, 1.0, 1e-8);
    EXPECT_NEAR(p.min_efficiency.set.value().parts[0].high / rows[i].efficiency, 1.0, 1e-8);
  }
}

// The row eta = 0.5: dividing saves nothing, so that neither compute nor bandwidth pays.
TEST(Estimate, WithoutAGainThereIsNoBreakEven) {
  Scenario scenario = base();
  scenario.truth = worked_cases()[5].parameters;
  const Parameters p = estimate(parameter_samples(scenario), 0.95);
  EXPECT_EQ(p.break_even_compute.value.reason().substr(0, 20), "no finite break-even");
  EXPECT_TRUE(p.break_even_compute.set.value().empty());
  EXPECT_FALSE(p.min_bandwidth.value);
  EXPECT_NEAR(p.min_efficiency.value.value(), 0.541516245, 1e-9);
}

TEST(Estimate, NearNoGainTheBreakEvenIsUnbounded) {
  Scenario scenario = base();
  scenario.truth.efficiency = 0.505;
  scenario.effect = [](std::string_view work, int session) {
    return work == "shard" ? 1.0 + 0.01 * (session - 2.5) : 1.0;  // the gain's mean is 0.01
  };
  const RealSet set = estimate(parameter_samples(scenario), 0.95).break_even_compute.set.value();
  ASSERT_EQ(set.parts.size(), 1U);
  EXPECT_GT(set.parts[0].low, 0.92e-3);  // H / 1
  EXPECT_EQ(set.parts[0].high, std::numeric_limits<double>::infinity());
}

TEST(Estimate, OfOneSessionHasValuesAndNoIntervals) {
  Scenario scenario = base();
  scenario.sessions = 1;
  const Parameters p = estimate(parameter_samples(scenario), 0.95);
  EXPECT_NEAR(p.compute.value().value, 12e-3, 1e-15);
  EXPECT_FALSE(p.compute.value().interval);
  EXPECT_NEAR(p.break_even_compute.value.value(), 2.453333333e-3, 1e-12);
  EXPECT_EQ(p.break_even_compute.set.reason(), "one session has no interval; 2 are needed");
}

}  // namespace
}  // namespace splitbench

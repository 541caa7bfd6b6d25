// The whole way from samples to verdicts.
#include "model/analysis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "model/invalid_input.h"
#include "model/worked_cases.h"
#include "tests/model/noise.h"
#include "tests/model/scenario.h"

namespace splitbench {
namespace {

PointAnalysis analysed(const Scenario& scenario) {
  return analyse(parameter_samples(scenario), validation_samples(scenario), {}, 1);
}

// the documentation's worked cases (docs/formulas.md): noise-free samples of every row give the
// row.
TEST(Analyse, ReturnsTheWorkedCases) {
  struct Row {
    double t1_s, communication_s, t2_s, speedup, overlap_s;
    SplitOutcome verdict;
  };
  const Row rows[] = {
      {12.8e-3, 0.92e-3, 9.22e-3, 1.388286334, 8.3e-3, SplitOutcome::faster},
      {1.8e-3, 0.92e-3, 2.345e-3, 0.767590618, 1.72e-3, SplitOutcome::slower},
      {12.8e-3, 8.12e-3, 16.42e-3, 0.779537150, 8.92e-3, SplitOutcome::slower},
      {12.8e-3, 0.28e-3, 8.58e-3, 1.491841492, 8.3e-3, SplitOutcome::faster},
      {112e-3, 0.92e-3, 108.42e-3, 1.033019738, 107.5e-3, SplitOutcome::faster},
      {12.8e-3, 0.92e-3, 13.72e-3, 0.932944606, 12.8e-3, SplitOutcome::slower},
  };
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const WorkedCase worked = worked_cases()[i];
    SCOPED_TRACE(worked.change);
    const PointAnalysis a = analysed({.truth = worked.parameters});
    const Row& row = rows[i];
    const auto expect = [](double actual, double expected) {
      EXPECT_NEAR(actual / expected, 1.0, 1e-9);
    };
    const Prediction& prediction = a.forecast.prediction;
    expect(prediction.one_device.value().value, row.t1_s);
    expect(prediction.point.value().value, row.t2_s);
    expect(prediction.from_fit.value().value, row.t2_s);
    expect(prediction.speedup.value().value, row.speedup);
    expect(prediction.overlap_bound.value().value, row.overlap_s);
    expect(4 * a.forecast.parameters.collective.value().value, row.communication_s);
    expect(a.measured.t1.value().value, row.t1_s);
    expect(a.measured.tn.value().value, row.t2_s);
    expect(a.measured.speedup.value().value, row.speedup);
    EXPECT_NEAR(a.point.comparison.relative_error.value(), 0.0, 1e-9);
    EXPECT_NEAR(a.from_fit.comparison.relative_error.value(), 0.0, 1e-9);
    EXPECT_NEAR(a.point.comparison.out_of_session_error.value().value, 0.0, 1e-9);
    EXPECT_EQ(a.point.verdict.outcome, ModelOutcome::holds);
    EXPECT_EQ(a.from_fit.verdict.outcome, ModelOutcome::holds);
    EXPECT_EQ(a.split.outcome, row.verdict);
    EXPECT_TRUE(a.self.passed.value());
    EXPECT_TRUE(a.notes.empty());
  }
}

// Stamps that cost 50 us each, and a split with two of them in each of its 4 layers where T1 has
// none inside: T1 = 12.8 ms + e and T_N = 9.22 ms + e all the same, by the worked base case.
TEST(Analyse, StampsInsideASplitAreNoPartOfIt) {
  for (const bool stamped : {false, true}) {
    const double empty = 50e-6;
    const PointAnalysis a = analysed({.truth = worked_base_case(),
                                      .empty = empty,
                                      .empty_all_ranks = empty,
                                      .stamped_split = stamped});
    EXPECT_NEAR(a.measured.t1->value, 12.8e-3 + empty, 1e-12);
    EXPECT_NEAR(a.measured.tn->value, 9.22e-3 + empty, 1e-12);
    EXPECT_NEAR(a.forecast.prediction.point->value, 9.22e-3 + empty, 1e-12);
    EXPECT_NEAR(a.forecast.prediction.one_device->value, 12.8e-3 + empty, 1e-12);
    EXPECT_NEAR(a.forecast.parameters.serial->value, 0.8e-3, 1e-12);
    EXPECT_NEAR(a.forecast.parameters.shard->value, 7.5e-3, 1e-12);
    EXPECT_NEAR(a.forecast.parameters.efficiency->value, 0.8, 1e-9);
    for (const Term& term : a.point.attribution.terms) {
      EXPECT_NEAR(term.amount ? term.amount->value : 0.0, 0.0, 1e-12) << term.name;
    }
  }
}

Scenario noisy(std::uint64_t seed) {
  Scenario scenario{.truth = worked_base_case(), .empty = 1e-6, .empty_all_ranks = 2e-6};
  scenario.effect = [random = Random(seed)](std::string_view, int) mutable {
    return 1.0 + 0.02 * normal(random);
  };
  return scenario;
}

void expect_identical(const Answer<Estimate>& a, const Answer<Estimate>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  EXPECT_EQ(a.value(), b.value());
}

TEST(Analyse, ThePredictionDoesNotDependOnWhatItIsComparedWith) {
  const ParameterSamples parameters = parameter_samples(noisy(1));
  const PointAnalysis one = analyse(parameters, validation_samples(noisy(2)), {}, 7);
  const PointAnalysis two = analyse(parameters, validation_samples(noisy(3)), {}, 7);
  EXPECT_NE(one.measured.tn.value(), two.measured.tn.value());
  expect_identical(one.forecast.prediction.point, two.forecast.prediction.point);
  expect_identical(one.forecast.prediction.from_fit, two.forecast.prediction.from_fit);
  expect_identical(one.forecast.prediction.speedup, two.forecast.prediction.speedup);
  for (std::size_t s = 0; s < one.forecast.prediction.sessions.size(); ++s) {
    EXPECT_EQ(one.forecast.prediction.sessions[s].point, two.forecast.prediction.sessions[s].point);
  }
}

TEST(Analyse, SummarizesEveryArm) {
  const PointAnalysis a = analysed({.truth = worked_base_case(), .empty = 1e-6});
  ASSERT_EQ(a.forecast.arms.size(), kParameterArms.size());
  ASSERT_EQ(a.arms.size(), kValidationArms.size());
  for (const ArmSummary& arm : a.forecast.arms) EXPECT_EQ(arm.times.value().sessions, 6U);
  EXPECT_EQ(a.forecast.arms[4].arm, "full");
  EXPECT_NEAR(a.forecast.arms[4].times.value().median, 12e-3 + 1e-6, 1e-15);  // raw, e included
  EXPECT_EQ(a.forecast.arms[4].times.value().samples, 6U * 5U * 4U);
}

TEST(Analyse, SurvivesTheLossOfAnyArm) {
  for (const ParameterArm lost : kParameterArms) {
    SCOPED_TRACE(name(lost));
    ParameterSamples parameters = parameter_samples({.truth = worked_base_case()});
    for (ParameterSession& session : parameters.sessions) session.arms[lost].clear();
    const PointAnalysis a =
        analyse(parameters, validation_samples({.truth = worked_base_case()}), {}, 1);
    EXPECT_TRUE(a.measured.tn);
    const bool predicts = lost == ParameterArm::full || lost == ParameterArm::shard_alone ||
                          lost == ParameterArm::collective_pipelined;
    EXPECT_EQ(a.forecast.prediction.point.has_value(), predicts);
    if (predicts) continue;
    EXPECT_EQ(a.forecast.prediction.point.reason(), "not measured: " + std::string(name(lost)));
    EXPECT_EQ(a.point.verdict.outcome, ModelOutcome::inconclusive);
    EXPECT_EQ(a.point.verdict.reason, "no prediction: not measured: " + std::string(name(lost)));
    EXPECT_EQ(a.split.outcome, SplitOutcome::faster);  // measured, whatever was predicted
  }
  for (const ValidationArm lost : kValidationArms) {
    SCOPED_TRACE(name(lost));
    ValidationSamples validation = validation_samples({.truth = worked_base_case()});
    for (ValidationSession& session : validation.sessions) session.arms[lost].clear();
    const PointAnalysis a =
        analyse(parameter_samples({.truth = worked_base_case()}), validation, {}, 1);
    EXPECT_TRUE(a.forecast.prediction.point);
    EXPECT_EQ(a.point.verdict.outcome == ModelOutcome::holds, lost != ValidationArm::split);
  }
}

TEST(Analyse, WithoutASweepThereIsNoVerdictOnTheLine) {
  ParameterSamples parameters = parameter_samples({.truth = worked_base_case()});
  for (ParameterSession& session : parameters.sessions) session.sweep.clear();
  const PointAnalysis a =
      analyse(parameters, validation_samples({.truth = worked_base_case()}), {}, 1);
  EXPECT_EQ(a.point.verdict.outcome, ModelOutcome::holds);
  EXPECT_EQ(a.from_fit.verdict.outcome, ModelOutcome::inconclusive);
  EXPECT_EQ(a.from_fit.verdict.reason,
            "no prediction: a line needs at least 3 distinct sizes, there are 0");
}

TEST(Analyse, OfNoSessionsHasReasonsOnly) {
  const PointAnalysis a = analysed({.truth = worked_base_case(), .sessions = 0});
  EXPECT_FALSE(a.forecast.parameters.compute);
  EXPECT_FALSE(a.forecast.prediction.point);
  EXPECT_FALSE(a.measured.tn);
  EXPECT_EQ(a.point.verdict.outcome, ModelOutcome::inconclusive);
  EXPECT_EQ(a.split.outcome, SplitOutcome::inconclusive);
  EXPECT_FALSE(a.point.verdict.reason.empty());
  EXPECT_FALSE(a.split.reason.empty());
}

TEST(Analyse, OfOneSessionHasValuesAndNoVerdict) {
  const PointAnalysis a = analysed({.truth = worked_base_case(), .sessions = 1});
  EXPECT_NEAR(a.forecast.prediction.point.value().value, 9.22e-3, 1e-12);
  EXPECT_NEAR(a.point.comparison.relative_error.value(), 0.0, 1e-9);
  EXPECT_FALSE(a.point.comparison.interval);
  EXPECT_EQ(a.point.verdict.outcome, ModelOutcome::inconclusive);
  EXPECT_EQ(a.split.outcome, SplitOutcome::inconclusive);
}

TEST(Analyse, OfWhatDoesNotFitOnOneDevicePredictsTheSplitAlone) {
  ParameterSamples parameters = parameter_samples({.truth = worked_base_case()});
  ValidationSamples validation = validation_samples({.truth = worked_base_case()});
  for (ParameterSession& session : parameters.sessions) session.arms[ParameterArm::full].clear();
  validation.fits_one_device = false;
  for (ValidationSession& session : validation.sessions) {
    session.arms[ValidationArm::unsplit].clear();
    session.arms[ValidationArm::twin].clear();
  }
  const PointAnalysis a = analyse(parameters, validation, {}, 1);
  EXPECT_NEAR(a.forecast.prediction.point.value().value, 9.22e-3, 1e-12);
  EXPECT_FALSE(a.measured.t1);
  EXPECT_FALSE(a.measured.speedup);
  EXPECT_FALSE(a.forecast.prediction.speedup);
  EXPECT_EQ(a.split.outcome, SplitOutcome::fits_only_split);
  EXPECT_EQ(a.point.verdict.outcome, ModelOutcome::holds);
}

TEST(Analyse, RefusesSamplesOfAnotherShape) {
  Scenario other{.truth = worked_base_case()};
  other.truth.collectives = 2;
  EXPECT_THROW(
      analyse(parameter_samples({.truth = worked_base_case()}), validation_samples(other), {}, 1),
      InvalidInput);
}

TEST(Analyse, RefusesWhatIsNotANumber) {
  ValidationSamples validation = validation_samples({.truth = worked_base_case()});
  validation.sessions[2].arms[ValidationArm::split][1].seconds[0] = std::nan("");
  EXPECT_THROW(analyse(parameter_samples({.truth = worked_base_case()}), validation, {}, 1),
               InvalidInput);
}

// The whole way, with 2 % of independent session noise on every arm: intervals cover the truth.
// 1 000 runs leave a standard error of 0.7 %.
TEST(Analyse, IntervalsCoverTheTruth) {
  constexpr int kRuns = 1000;
  int compute = 0;
  int efficiency = 0;
  int latency = 0;
  int break_even = 0;
  int speedup = 0;
  for (int run = 0; run < kRuns; ++run) {
    Scenario scenario = noisy(100 + static_cast<std::uint64_t>(run));
    scenario.rounds = 1;
    scenario.repeats = 1;
    AcceptanceCriteria criteria;
    criteria.draws = criteria.resamples = 1;
    const PointAnalysis a =
        analyse(parameter_samples(scenario), validation_samples(scenario), criteria, 1);
    const Parameters& p = a.forecast.parameters;
    compute += (*p.compute.value().interval).contains(12e-3);
    efficiency += (*p.efficiency.value().interval).contains(0.8);
    latency += (*p.latency.value().interval).contains(0.03e-3);
    break_even += p.break_even_compute.set.value().contains(2.453333333e-3);
    // T1 and T_N less their e; 1 us and 2 us are part of the truth here.
    speedup += (*a.measured.speedup.value().interval).contains(12.801 / 9.222);
  }
  for (const int covered : {compute, efficiency, latency, break_even, speedup}) {
    EXPECT_NEAR(static_cast<double>(covered) / kRuns, 0.95, 0.02);
  }
}

}  // namespace
}  // namespace splitbench

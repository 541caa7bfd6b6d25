// Where a difference went: known causes are put into the samples and must come back.
#include "model/attribution.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/analysis.h"
#include "model/worked_cases.h"
#include "tests/model/scenario.h"

namespace splitbench {
namespace {

// The worked base case: W = 0.8 + 7.5 ms without the collectives, H = 4 * 0.23 ms.
constexpr double kCompute = 8.3e-3;
constexpr double kCommunication = 0.92e-3;

class AttributionTest : public ::testing::Test {
 protected:
  Scenario scenario_{.truth = worked_base_case(), .empty = 1e-6, .empty_all_ranks = 3e-6};
  ParameterSamples parameters_ = parameter_samples(scenario_);
  ValidationSamples validation_ = validation_samples(scenario_);

  Attribution point() const { return analyse(parameters_, validation_, {}, 1).point.attribution; }
  Attribution fit() const { return analyse(parameters_, validation_, {}, 1).from_fit.attribution; }

  void delay(ValidationArm arm, double seconds) {
    for (ValidationSession& session : validation_.sessions) {
      for (Block& block : session.arms[arm]) {
        for (double& value : block.seconds) value += seconds;
      }
    }
  }

  // Collectives inside the split, stamped: each rank of each of the 4 layers takes `seconds`, and
  // each of the two stamps around them e.
  void stamp_split(double seconds) {
    const double empty = scenario_.empty_all_ranks;
    for (ValidationSession& session : validation_.sessions) {
      for (Block& block : session.arms[ValidationArm::split]) {
        block.layers = 4;
        for (double& whole : block.seconds) whole += 2 * 4 * empty;
        block.layer_seconds.assign(block.seconds.size() * 4, seconds + empty);
      }
    }
  }

  static const Answer<Estimate>& amount(const Attribution& attribution, std::string_view name) {
    for (const Term& term : attribution.terms) {
      if (term.name == name) return term.amount;
    }
    throw std::out_of_range(std::string(name));
  }
  static double value(const Attribution& attribution, std::string_view name) {
    return amount(attribution, name).value().value;
  }
};

TEST_F(AttributionTest, OfAnExactPredictionIsNothing) {
  const Attribution attribution = point();
  EXPECT_NEAR(attribution.difference.amount.value().value, 0.0, 1e-12);
  for (const char* name : {"composition", "collective_in_place", "rest"}) {
    EXPECT_NEAR(value(attribution, name), 0.0, 1e-12) << name;
  }
  EXPECT_FALSE(attribution.unexplained);
}

// A delay of one rank, in the split and in the split without collective: slope 1.
TEST_F(AttributionTest, InjectedDelayComesBackAsComposition) {
  double before = 0.0;
  for (const double step : {50e-6, 200e-6, 750e-6}) {
    delay(ValidationArm::split, step);
    delay(ValidationArm::split_without_collective, step);
    const double now = value(point(), "composition");
    EXPECT_NEAR(now - before, step, 1e-9);
    EXPECT_NEAR(value(point(), "collective_in_place"), 0.0, 1e-9);
    EXPECT_NEAR(value(point(), "rest"), 0.0, 1e-9);
    before = now;
  }
}

TEST_F(AttributionTest, WhatOnlyTheSplitPaysIsTheCollectiveInPlace) {
  delay(ValidationArm::split, 300e-6);
  EXPECT_NEAR(value(point(), "composition"), 0.0, 1e-9);
  EXPECT_NEAR(value(point(), "collective_in_place"), 300e-6, 1e-9);
}

// With stamps inside the split the collective is known by itself, and the rest can be something.
TEST_F(AttributionTest, StampsInTheSplitTellTheCollectiveFromTheRest) {
  delay(ValidationArm::split, 300e-6);
  stamp_split(0.23e-3 + 25e-6);  // 4 * 25 us of the 300 us are the collectives'
  const Attribution attribution = point();
  EXPECT_NEAR(value(attribution, "collective_in_place"), 100e-6, 1e-9);
  EXPECT_NEAR(value(attribution, "rest"), 200e-6, 1e-9);
  EXPECT_TRUE(attribution.unexplained);
}

TEST_F(AttributionTest, ARestBelowTheFloorIsNotCalledUnexplained) {
  delay(ValidationArm::split, 0.9e-6);
  stamp_split(0.23e-3);
  EXPECT_NEAR(value(point(), "rest"), 0.9e-6, 1e-10);
  EXPECT_FALSE(point().unexplained);
}

// At V the collective takes 10 % more than the line through its neighbours says.
TEST_F(AttributionTest, TheLinesMisfitBelongsToThePredictionFromTheLineAlone) {
  for (ParameterSession& session : parameters_.sessions) {
    for (Block& block : session.arms[ParameterArm::collective]) {
      for (double& value : block.seconds) value += 0.023e-3;
    }
  }
  delay(ValidationArm::split, 4 * 0.023e-3);
  EXPECT_NEAR(fit().difference.amount.value().value, 0.1 * kCommunication, 1e-9);
  EXPECT_NEAR(value(fit(), "line_misfit"), 0.1 * kCommunication, 1e-9);
  EXPECT_NEAR(value(fit(), "collective_in_place"), 0.0, 1e-9);
  EXPECT_NEAR(point().difference.amount.value().value, 0.0, 1e-9);
  EXPECT_EQ(amount(point(), "line_misfit").reason(),
            "no line was used: the collective was measured at V");
}

TEST_F(AttributionTest, WithoutClocksThereIsNoClockTerm) {
  EXPECT_EQ(amount(point(), "clock").reason(), "device clocks were not recorded in every session");
}

// The split ran at 1.6 GHz, the shard at 2 GHz: compute takes 25 % more, and all of the difference
// is the clock's.
TEST_F(AttributionTest, ALowerClockExplainsWhatItCosts) {
  for (ParameterSession& session : parameters_.sessions) {
    for (Block& block : session.arms[ParameterArm::shard]) block.clock_hz = 2.0e9;
  }
  for (ValidationSession& session : validation_.sessions) {
    for (Block& block : session.arms[ValidationArm::split]) block.clock_hz = 1.6e9;
    for (Block& block : session.arms[ValidationArm::split_without_collective]) {
      block.clock_hz = 1.6e9;
    }
  }
  delay(ValidationArm::split, 0.25 * kCompute);
  delay(ValidationArm::split_without_collective, 0.25 * kCompute);
  const Attribution attribution = point();
  EXPECT_NEAR(value(attribution, "clock"), 0.25 * kCompute, 1e-9);
  EXPECT_NEAR(value(attribution, "composition"), 0.0, 1e-9);
  EXPECT_NEAR(value(attribution, "collective_in_place"), 0.0, 1e-9);
  EXPECT_NEAR(value(attribution, "rest"), 0.0, 1e-9);
}

TEST_F(AttributionTest, WithoutTheSplitWithoutCollectiveAllIsRest) {
  delay(ValidationArm::split, 300e-6);
  validation_.sessions[3].arms[ValidationArm::split_without_collective].clear();
  const Attribution attribution = point();
  EXPECT_EQ(amount(attribution, "composition").reason(),
            "the split without collective was not measured in every session");
  EXPECT_FALSE(amount(attribution, "collective_in_place"));
  EXPECT_NEAR(value(attribution, "rest"), 300e-6, 1e-9);
  EXPECT_TRUE(attribution.unexplained);
}

TEST_F(AttributionTest, WithoutTNThereIsNone) {
  for (ValidationSession& session : validation_.sessions) {
    session.arms[ValidationArm::split].clear();
  }
  EXPECT_TRUE(point().terms.empty());
  EXPECT_FALSE(point().difference.amount);
}

// Sessions that differ by several percent: what is printed still adds up.
TEST_F(AttributionTest, SumsToTheDifferenceOfWhatIsPrinted) {
  scenario_.effect = [](std::string_view work, int session) {
    return 1.0 + 0.08 * std::sin(3.0 * static_cast<double>(work.size()) + 1.7 * session);
  };
  parameters_ = parameter_samples(scenario_);
  validation_ = validation_samples(scenario_);
  stamp_split(0.24e-3);
  const PointAnalysis analysis = analyse(parameters_, validation_, {}, 1);
  const double tn = analysis.measured.tn.value().value;
  const auto expect_sum = [tn](const Judgement& judgement, const Answer<Estimate>& predicted) {
    double sum = 0.0;
    for (const Term& term : judgement.attribution.terms) {
      if (term.amount) sum += term.amount.value().value;
    }
    const double difference = tn - predicted.value().value;
    EXPECT_GT(std::abs(difference), 1e-5);
    EXPECT_NEAR(sum, difference, 1e-15);
    EXPECT_NEAR(judgement.attribution.difference.amount.value().value, difference, 1e-15);
  };
  expect_sum(analysis.point, analysis.forecast.prediction.point);
  expect_sum(analysis.from_fit, analysis.forecast.prediction.from_fit);
}

}  // namespace
}  // namespace splitbench

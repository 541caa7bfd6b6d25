// The gate's rule on series of runs whose values are written down here. Of noise-free runs the
// baseline is their common value, so every shortfall can be read off.
#include "model/gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<GatedRun> runs(std::size_t count, double value) {
  return std::vector<GatedRun>(count, GatedRun{.value = value, .spread = 0.0, .sessions = 6});
}

std::vector<GatedRun> followed_by(std::vector<GatedRun> series, const std::vector<double>& more) {
  for (const double value : more) series.push_back({.value = value, .spread = 0.0, .sessions = 6});
  return series;
}

GateJudgement judge(const std::vector<GatedRun>& series, Better better = Better::higher,
                    const GateRule& rule = {}, double least_effect = 0.0) {
  return judge_newest(series, better, rule, least_effect);
}

TEST(Gate, LearnsUntilSevenRunsBesideTheNewestThree) {
  for (std::size_t count = 1; count <= 9; ++count) {
    EXPECT_EQ(judge(runs(count, 2.0)).outcome, GateOutcome::learning) << count;
    EXPECT_EQ(judge(runs(count, 2.0)).cause, GateCause::few_runs);
  }
  EXPECT_EQ(judge(runs(10, 2.0)).outcome, GateOutcome::pass);
}

TEST(Gate, TwoOfTheLastThreeRunsMakeARegression) {
  const auto outcome = [](const std::vector<double>& newest) {
    return judge(followed_by(runs(12, 2.0), newest)).outcome;
  };
  const double low = 2.0 * (1.0 - 0.018);
  EXPECT_EQ(outcome({low}), GateOutcome::pass);
  EXPECT_EQ(outcome({low, low}), GateOutcome::regression);
  EXPECT_EQ(outcome({low, 2.0, low}), GateOutcome::regression);
  EXPECT_EQ(outcome({low, low, 2.0}), GateOutcome::regression);
  EXPECT_EQ(outcome({low, 2.0, 2.0, low}), GateOutcome::pass) << "four apart";
}

TEST(Gate, AThresholdParts) {
  GateRule rule;
  rule.threshold = 0.25;
  const auto outcome = [&rule](double value) {
    return judge(followed_by(runs(12, 4.0), {value, value}), Better::higher, rule).outcome;
  };
  EXPECT_EQ(outcome(2.9999), GateOutcome::regression) << "1 - 3 / 4 is 0.25";
  EXPECT_EQ(outcome(3.0001), GateOutcome::pass);
}

TEST(Gate, OfTimesTheLongerIsTheWorse) {
  const GateRule rule = time_rule();
  const auto outcome = [&rule](double value) {
    return judge(followed_by(runs(12, 2.0), {value, value}), Better::lower, rule).outcome;
  };
  EXPECT_EQ(outcome(2.0 / 0.93), GateOutcome::regression) << "1 - 0.93 is 7 %";
  EXPECT_EQ(outcome(2.0 / 0.95), GateOutcome::pass);
  EXPECT_EQ(outcome(1.0), GateOutcome::pass) << "faster is no regression";
}

// A least effect is the logarithm of a ratio: ln(1 / 0.96) = 0.0408 makes 4 % of it.
TEST(Gate, ALargerLeastEffectTakesThePlaceOfTheThreshold) {
  const auto series = followed_by(runs(12, 2.0), {1.94, 1.94});  // 3 % below
  EXPECT_EQ(judge(series, Better::higher, {}, 0.02).outcome, GateOutcome::regression);
  const double four_percent = std::log(1.0 / 0.96);
  const auto worse = followed_by(runs(12, 2.0), {1.91, 1.91});  // 4.5 %
  EXPECT_EQ(judge(worse, Better::higher, {}, four_percent).outcome, GateOutcome::regression);
  EXPECT_NEAR(judge(worse, Better::higher, {}, four_percent).threshold, 0.04, 1e-12);
}

// 3 % are a shortfall that was asked for, and no more than what equal things differ by.
TEST(Gate, AShortfallThatALeastEffectMayExplainIsUnknown) {
  const double four_percent = std::log(1.0 / 0.96);
  const auto series = followed_by(runs(12, 2.0), {1.94, 1.94});
  const GateJudgement judgement = judge(series, Better::higher, {}, four_percent);
  EXPECT_EQ(judgement.outcome, GateOutcome::unknown);
  EXPECT_EQ(judgement.cause, GateCause::least_effect);
  EXPECT_EQ(judgement.reason,
            "2 of the last 3 runs lie 1.75 % or more on the worse side of the baseline, but equal "
            "things seem to differ by up to 4.00 % here (A/A)");
  EXPECT_EQ(judge(followed_by(runs(12, 2.0), {1.94}), Better::higher, {}, four_percent).outcome,
            GateOutcome::pass)
      << "1 of 3 would be no regression either";
}

// 6 sessions: t_.95,5 = 2.015048, chi-square_.99,5 = 15.08627 (tables), so that an A/A interval of
// an allowed spread that holds 0 ends by 2 x 2.015048 x 0.8 % x sqrt(15.08627 / 5) = 0.056003.
TEST(Gate, ALeastEffectBeyondWhatTheAllowedSpreadExplainsIsUnknown) {
  const auto series = runs(14, 2.0);
  EXPECT_EQ(judge(series, Better::higher, {}, 0.05600).outcome, GateOutcome::pass);
  const GateJudgement judgement = judge(series, Better::higher, {}, 0.05601);
  EXPECT_EQ(judgement.outcome, GateOutcome::unknown);
  EXPECT_EQ(judgement.cause, GateCause::least_effect);
  GateRule wide;
  wide.threshold = 0.25;
  EXPECT_EQ(judge(series, Better::higher, wide, 0.2).outcome, GateOutcome::pass)
      << "18 % hide nothing of the 25 % that are asked for";
}

// No shortfall reaches 100 %: with ln 3.4 = 1.224 taken for a share, nothing would ever have been
// a regression.
TEST(Gate, NoLeastEffectMakesAPassOfALossOfNineTenths) {
  const auto series = followed_by(runs(12, 2.0), {0.2, 0.2});
  EXPECT_EQ(judge(series, Better::higher, {}, 1.224).outcome, GateOutcome::unknown);
  GateRule rule;
  rule.most_spread = 0.9;
  const GateJudgement judgement = judge(series, Better::higher, rule, 1.224);
  EXPECT_EQ(judgement.outcome, GateOutcome::regression);
  EXPECT_NEAR(judgement.threshold, 1.0 - 1.0 / 3.4, 1e-3);
  EXPECT_EQ(judge(series, Better::higher, rule, 1e6).outcome, GateOutcome::unknown);
}

// Of 20 runs the 14 before the newest three: 5 of the first level and 9 of the second.
TEST(Gate, TheBaselineIsTheGeometricMeanOfTheLatestFourteen) {
  const GateJudgement judgement = judge(followed_by(runs(8, 2.0), std::vector<double>(12, 2.02)));
  ASSERT_TRUE(judgement.baseline);
  EXPECT_EQ(judgement.baseline->runs, 14U);
  EXPECT_NEAR(judgement.baseline->value, std::exp((5 * std::log(2.0) + 9 * std::log(2.02)) / 14),
              1e-12);
  ASSERT_EQ(judgement.shortfalls.size(), 3U);
  EXPECT_NEAR(judgement.shortfalls[2], 1.0 - 2.02 / judgement.baseline->value, 1e-12);
}

// A baseline that followed the runs would have sunk to them after two weeks.
TEST(Gate, ARegressionDoesNotPassByWaiting) {
  auto series = runs(12, 2.0);
  for (int night = 0; night < 60; ++night) {
    series = followed_by(std::move(series), {1.94});
    if (night == 0) continue;
    const GateJudgement judgement = judge(series);
    EXPECT_EQ(judgement.outcome, GateOutcome::regression) << night;
    EXPECT_NEAR(judgement.baseline->value, 2.0, 1e-12) << night;
  }
  series = followed_by(std::move(series), {2.0, 2.0});
  EXPECT_EQ(judge(series).outcome, GateOutcome::pass) << "mended";
}

TEST(Gate, AnImprovementRaisesTheBaselineAndIsNoNoise) {
  auto series = runs(12, 2.0);
  for (int night = 0; night < 20; ++night) {
    series = followed_by(std::move(series), {2.06});
    EXPECT_EQ(judge(series).outcome, GateOutcome::pass) << night;
  }
  EXPECT_NEAR(judge(series).baseline->value, 2.06, 1e-12);
}

// The true standard error of a run with 6 sessions is at least s sqrt(5 / 15.0863) with 99 %
// (chi-square of 5 degrees, table): 1.38 % says 0.794 %, 1.40 % says 0.806 %.
TEST(Gate, ARunIsTooNoisyWhereChanceDoesNotExplainIt) {
  auto series = runs(12, 2.0);
  series.push_back({.value = 2.0, .spread = 0.0138, .sessions = 6});
  EXPECT_EQ(judge(series).outcome, GateOutcome::pass);
  series.back().spread = 0.014;
  EXPECT_EQ(judge(series).outcome, GateOutcome::unknown);
  EXPECT_EQ(judge(series).cause, GateCause::noisy_run);
  series.push_back({.value = 2.0, .spread = 0.001, .sessions = 6});
  EXPECT_EQ(judge(series).outcome, GateOutcome::pass) << "an earlier one is passed over";
}

// One session says nothing about how far another would have been from it.
TEST(Gate, ARunOfOneSessionIsNeitherJudgedNorPartOfABaseline) {
  auto series = runs(12, 2.0);
  series.push_back({.value = 2.0, .spread = 0.0, .sessions = 1});
  EXPECT_EQ(judge(series).outcome, GateOutcome::unknown);
  EXPECT_EQ(judge(series).cause, GateCause::one_session);
  for (GatedRun& run : series) run.sessions = 1;
  series.push_back({.value = 2.0, .spread = 0.0, .sessions = 6});
  EXPECT_EQ(judge(series).outcome, GateOutcome::learning) << "of 14 runs one";
}

// Runs that alternate by 4 %: successive differences of 4 % each, s = 4 % / sqrt(2) = 2.8 %.
TEST(Gate, ABaselineWhoseRunsDifferTooMuchSaysNothing) {
  std::vector<GatedRun> series;
  for (int night = 0; night < 16; ++night) {
    series.push_back({.value = 2.0 * std::exp(night % 2 == 0 ? 0.0 : 0.04), .sessions = 6});
  }
  const GateJudgement judgement = judge(series);
  EXPECT_EQ(judgement.outcome, GateOutcome::unknown);
  EXPECT_EQ(judgement.cause, GateCause::noisy_baseline);
  EXPECT_NEAR(judgement.baseline->spread, 0.04 / std::sqrt(2.0), 1e-12);
}

TEST(Gate, ValuesThatAreNoneHaveTheirOwnOutcomes) {
  const auto cause = [](const std::vector<GatedRun>& series) {
    const GateJudgement judgement = judge(series);
    EXPECT_EQ(judgement.outcome, GateOutcome::unknown);
    EXPECT_NE(judgement.reason, "");
    return judgement.cause;
  };
  EXPECT_EQ(cause(followed_by(runs(12, 2.0), {0.0})), GateCause::zero);
  EXPECT_EQ(cause(followed_by(runs(12, 2.0), {-1.0})), GateCause::zero);
  EXPECT_EQ(cause(followed_by(runs(12, 2.0), {kNan})), GateCause::not_finite);
  EXPECT_EQ(cause(followed_by(runs(12, 0.0), {2.0})), GateCause::baseline_zero);
  EXPECT_EQ(cause(followed_by(runs(12, kNan), {2.0})), GateCause::baseline_not_finite);
  EXPECT_EQ(cause(followed_by(runs(12, std::numeric_limits<double>::infinity()), {2.0})),
            GateCause::baseline_not_finite);
}

TEST(Gate, RefusesRulesThatMakeNoSense) {
  const auto refuses = [](const std::function<void(GateRule&)>& change) {
    GateRule rule;
    change(rule);
    EXPECT_THROW(judge(runs(9, 2.0), Better::higher, rule), InvalidInput);
  };
  refuses([](GateRule& rule) { rule.threshold = 0.0; });
  refuses([](GateRule& rule) { rule.threshold = 1.0; });
  refuses([](GateRule& rule) { rule.most_spread = kNan; });
  refuses([](GateRule& rule) { rule.least_runs = 1; });
  refuses([](GateRule& rule) { rule.most_runs = 6; });
  refuses([](GateRule& rule) { rule.shortfalls = 4; });
  refuses([](GateRule& rule) { rule.shortfalls = 0; });
  EXPECT_THROW(judge({}), InvalidInput);
  EXPECT_THROW(judge(runs(9, 2.0), Better::higher, {}, -0.01), InvalidInput);
  EXPECT_THROW(judge(runs(9, 2.0), Better::higher, {}, kNan), InvalidInput);
}

}  // namespace
}  // namespace splitbench

// Two estimates beside each other: Welch's interval and the word for it, against hand calculation
// with quantiles of published tables of Student's t.
#include "model/change.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

Answer<Estimate> estimate(double value, double sd, std::size_t sessions,
                          Scale scale = Scale::logarithmic) {
  return Estimate{.value = value, .scale = scale, .sessions = sessions, .session_sd = sd};
}

// Equal spreads and sizes: 2 (6 - 1) = 10 degrees of freedom, t 2.228139; error .02 sqrt(2/6).
TEST(Difference, OfEqualSpreadsIsTheTextbooksTwoSampleInterval) {
  const auto found = difference(estimate(2.0, 0.02, 6), estimate(2.1, 0.02, 6), 0.95);
  ASSERT_TRUE(found);
  const double error = 0.02 * std::sqrt(2.0 / 6.0);
  EXPECT_NEAR(found->value, std::log(1.05), 1e-12);
  EXPECT_NEAR(found->interval->low, std::log(1.05) - 2.228139 * error, 1e-7);
  EXPECT_NEAR(found->interval->high, std::log(1.05) + 2.228139 * error, 1e-7);
}

// Variances of the means 1/4 and 9/16: degrees of freedom (13/16)^2 / ((1/4)^2/3 + (9/16)^2/15)
// = 0.66016 / 0.041927 = 15.7, of which 15 whole ones; t 2.131450.
TEST(Difference, OfUnequalSpreadsTakesSatterthwaitesDegrees) {
  const auto found =
      difference(estimate(5.0, 1.0, 4, Scale::linear), estimate(4.0, 3.0, 16, Scale::linear), 0.95);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, -1.0, 1e-12);
  EXPECT_NEAR(found->interval->high, -1.0 + 2.131450 * std::sqrt(13.0 / 16.0), 1e-6);
}

TEST(Difference, OfTwoSpotlessSidesHasNoWidth) {
  const auto found = difference(estimate(2.0, 0.0, 6), estimate(2.0, 0.0, 6), 0.95);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found->interval, (Interval{0.0, 0.0}));
}

TEST(Difference, SaysWhichSideHasNone) {
  const auto good = estimate(2.0, 0.02, 6);
  EXPECT_EQ(difference(Answer<Estimate>::none("not measured"), good, 0.95).reason(),
            "of A: not measured");
  EXPECT_EQ(difference(good, estimate(2.0, 0.0, 1), 0.95).reason(),
            "of B: one session says nothing of its spread");
  EXPECT_EQ(difference(good, estimate(0.0, 0.02, 6), 0.95).reason(),
            "of B: a value that is not above 0 has no ratio");
  EXPECT_THROW(difference(good, estimate(2.0, 0.02, 6, Scale::linear), 0.95), InvalidInput);
}

Answer<Estimate> seen(double low, double high) {
  return Estimate{.value = (low + high) / 2.0, .sessions = 12, .interval = Interval{low, high}};
}

TEST(JudgeChange, HasFourAnswers) {
  const auto outcome = [](double low, double high, Better better) {
    return judge_change(seen(low, high), better, 0.01).outcome;
  };
  EXPECT_EQ(outcome(0.011, 0.03, Better::higher), ChangeOutcome::better);
  EXPECT_EQ(outcome(0.011, 0.03, Better::lower), ChangeOutcome::worse);
  EXPECT_EQ(outcome(-0.03, -0.011, Better::higher), ChangeOutcome::worse);
  EXPECT_EQ(outcome(-0.03, -0.011, Better::lower), ChangeOutcome::better);
  EXPECT_EQ(outcome(-0.009, 0.009, Better::higher), ChangeOutcome::same);
  EXPECT_EQ(outcome(0.009, 0.03, Better::higher), ChangeOutcome::cannot_say);
  EXPECT_EQ(outcome(-0.05, 0.05, Better::higher), ChangeOutcome::cannot_say);
}

TEST(JudgeChange, OfNothingCannotBeSaidAndSaysWhy) {
  const Change change =
      judge_change(Answer<Estimate>::none("of A: not measured"), Better::higher, 0.01);
  EXPECT_EQ(change.outcome, ChangeOutcome::cannot_say);
  EXPECT_EQ(change.reason, "of A: not measured");
}

}  // namespace
}  // namespace splitbench

// Shares, their intervals, and what becomes of a claim.
#include "harness/proof/proportion.h"

#include <gtest/gtest.h>

#include "harness/proof/claim.h"

namespace splitbench::proof {
namespace {

// R. G. Newcombe, "Two-sided confidence intervals for the single proportion: comparison of seven
// methods", Statistics in Medicine 17 (1998), table I, the Clopper-Pearson row.
TEST(BinomialInterval, IsThatOfThePublishedExamples) {
  struct Example {
    Proportion proportion;
    Interval interval;
  };
  for (const auto& [proportion, interval] :
       {Example{{81, 263}, {0.2527, 0.3676}}, Example{{15, 148}, {0.0578, 0.1617}},
        Example{{0, 20}, {0.0, 0.1684}}, Example{{1, 29}, {0.0009, 0.1776}}}) {
    const Interval found = binomial_interval(proportion, 0.95);
    EXPECT_NEAR(found.low, interval.low, 5e-5) << proportion.hits;
    EXPECT_NEAR(found.high, interval.high, 5e-5) << proportion.hits;
  }
}

// With every trial a hit the lower end is (alpha/2)^(1/n): 0.025^(1/20) = 0.8316.
TEST(BinomialInterval, EndsAtOneWhereAllHit) {
  const Interval found = binomial_interval({20, 20}, 0.95);
  EXPECT_NEAR(found.low, 0.8316, 5e-5);
  EXPECT_EQ(found.high, 1.0);
}

TEST(BinomialInterval, SaysNothingOfNoTrials) {
  EXPECT_EQ(binomial_interval({0, 0}, 0.95), (Interval{0.0, 1.0}));
}

TEST(Proportion, CountsHits) {
  Proportion proportion;
  for (const bool hit : {true, false, true, true}) proportion.add(hit);
  EXPECT_EQ(proportion.hits, 3);
  EXPECT_EQ(proportion.share(), 0.75);
}

// 1900 of 2000 is 95 %. 1840, 92 %, has an interval at 99.9 % of about 92 % +- 2 %, which reaches
// 93 %; 1740, 87 %, one of about 87 % +- 2.5 %, which does not.
TEST(Claim, IsMissedOnlyWhereChanceDoesNotExplainIt) {
  const Interval limits{0.93, 0.97};
  EXPECT_EQ(claim("95 %", {1900, 2000}, limits).outcome, ClaimOutcome::met);
  EXPECT_EQ(claim("92 %", {1840, 2000}, limits).outcome, ClaimOutcome::unclear);
  EXPECT_EQ(claim("87 %", {1740, 2000}, limits).outcome, ClaimOutcome::missed);
  EXPECT_EQ(claim("99.9 %", {1998, 2000}, limits).outcome, ClaimOutcome::missed);
}

TEST(Claim, OfFewRunsIsNeverMissedForAShareThatIsOnlyUnlucky) {
  EXPECT_EQ(claim("34 of 40", {34, 40}, {0.93, 0.97}).outcome, ClaimOutcome::unclear);
}

}  // namespace
}  // namespace splitbench::proof

// T1 and T_N put together from tabulated parts.
#include "model/tabulated.h"

#include <gtest/gtest.h>

#include <cmath>

namespace splitbench {
namespace {

TableTime entry(double seconds) {
  return {.time = Seconds(seconds), .interpolated = false};
}
TableTime between(double seconds, double low, double high) {
  return {.time = Seconds(seconds), .interpolated = true, .interval = Interval{low, high}};
}

TEST(TabulatedSplit, AddsThePartsOfEveryLayer) {
  const auto split = tabulated_split(
      {.serial = entry(1), .full = entry(10), .shard = entry(6), .collective = entry(1)}, 3, 0.01);
  EXPECT_DOUBLE_EQ(split.one_device.time.value(), 33.0);
  EXPECT_DOUBLE_EQ(split.split.time.value(), 24.0);
  EXPECT_DOUBLE_EQ(split.speedup, 33.0 / 24.0);
}

TEST(TabulatedSplit, HasNoIntervalWhereEveryPartIsAnEntryAndIsJudgedByItsValue) {
  const auto judged = [](double full) {
    return tabulated_split({.full = entry(full), .shard = entry(6), .collective = entry(4)}, 1,
                           0.01);
  };
  EXPECT_EQ(judged(10.2).split.interval.reason(),
            "every part is an entry of its table, which has one number for it");
  EXPECT_FALSE(judged(10.2).speedup_interval);
  EXPECT_EQ(judged(10.2).verdict.outcome, SplitOutcome::faster);
  EXPECT_EQ(judged(9.8).verdict.outcome, SplitOutcome::slower);
  EXPECT_EQ(judged(10.05).verdict.outcome, SplitOutcome::tie);
}

// Ends 3 and 4 away, two independent errors: the root of 3^2 + 4^2.
TEST(TabulatedSplit, AddsTheDistancesOfEndsByTheRootOfTheirSquares) {
  const auto split = tabulated_split(
      {.full = entry(40), .shard = between(20, 17, 24), .collective = between(10, 6, 13)}, 1, 0.01);
  EXPECT_DOUBLE_EQ(split.split.interval->low, 25.0);
  EXPECT_DOUBLE_EQ(split.split.interval->high, 35.0);
  EXPECT_DOUBLE_EQ(split.speedup_interval->low, 40.0 / 35.0);
  EXPECT_DOUBLE_EQ(split.speedup_interval->high, 40.0 / 25.0);
}

TEST(TabulatedSplit, IsInconclusiveWhereTheIntervalIsOnBothSides) {
  const auto split = tabulated_split(
      {.full = entry(10), .shard = entry(5), .collective = between(4, 3, 6)}, 1, 0.01);
  EXPECT_EQ(split.verdict.outcome, SplitOutcome::inconclusive);
}

TEST(TabulatedSplit, IsInconclusiveWhereReadingHasNoError) {
  TableTime unsure = between(1, 1, 1);
  unsure.interval = Answer<Interval>::none("too few entries");
  const auto split =
      tabulated_split({.full = entry(10), .shard = entry(5), .collective = unsure}, 1, 0.01);
  EXPECT_EQ(split.verdict.outcome, SplitOutcome::inconclusive);
  EXPECT_EQ(split.verdict.reason, "too few entries");
}

TEST(TabulatedComparison, JudgesByTheIntervalOfReading) {
  const AcceptanceCriteria criteria;  // 3 %
  const auto verdict = [&](double tn) {
    return compare(between(1.00, 0.99, 1.01), Seconds(tn), criteria).verdict.outcome;
  };
  EXPECT_EQ(verdict(1.01), ModelOutcome::holds);
  EXPECT_EQ(verdict(1.035), ModelOutcome::inconclusive);
  EXPECT_EQ(verdict(1.06), ModelOutcome::fails);
  EXPECT_NEAR(compare(between(1.00, 0.98, 1.02), Seconds(1.05), criteria).relative_error, 0.05,
              1e-12);
  EXPECT_NEAR(compare(between(1.00, 0.98, 1.02), Seconds(1.05), criteria).interval->low,
              1.05 / 1.02 - 1.0, 1e-12);
}

}  // namespace
}  // namespace splitbench

// Reading a table between its entries.
#include "model/table_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

TableCurve curve(const std::vector<std::pair<double, double>>& entries) {
  std::vector<TableEntry> list;
  for (const auto& [size, time] : entries) list.push_back({.size = size, .time = Seconds(time)});
  return TableCurve(list);
}

// t = 3 + 0.5 size at powers of 2.
TableCurve straight() {
  std::vector<std::pair<double, double>> entries;
  for (double size = 1.0; size <= 1024.0; size *= 2.0) entries.emplace_back(size, 3.0 + size / 2.0);
  return curve(entries);
}

TEST(TableCurve, GivesAnEntryAsItIsAndNoIntervalOfIt) {
  const auto read = straight().at(16.0);
  EXPECT_EQ(read->time.value(), 11.0);
  EXPECT_FALSE(read->interpolated);
  EXPECT_EQ(read->interval.reason(),
            "the table gives one time here and does not say how it scatters");
}

TEST(TableCurve, IsExactOnAStraightLineAndSaysSo) {
  const auto read = straight().at(23.0);
  EXPECT_TRUE(read->interpolated);
  EXPECT_NEAR(read->time.value(), 14.5, 1e-12);
  EXPECT_NEAR(read->interval->low, 14.5, 1e-9);
  EXPECT_NEAR(read->interval->high, 14.5, 1e-9);
  EXPECT_NEAR(*read->error, 0.0, 1e-12);
}

TEST(TableCurve, SaysNothingOutsideOfTheTable) {
  for (const double size : {0.99, 1025.0}) {
    EXPECT_EQ(straight().at(size).reason(), "outside of the table");
  }
}

// Lines at 4 from 1, 2 (times 10, 11) and 8, 16 (times 30, 34): from below 13, from above 28,
// through the neighbours 11 + 19/3. Something switched: the line from below is taken, and the
// interval reaches the one from above.
TEST(TableCurve, TakesTheLineFromBelowWhereSomethingSwitches) {
  const auto read = curve({{1, 10}, {2, 11}, {8, 30}, {16, 34}}).at(4.0);
  EXPECT_NEAR(read->time.value(), 13.0, 1e-12);
  const auto longer =
      curve({{0.25, 9.25}, {0.5, 9.5}, {1, 10}, {2, 11}, {8, 30}, {16, 34}, {32, 42}});
  ASSERT_TRUE(longer.at(4.0)->interval);
  EXPECT_LE(longer.at(4.0)->interval->low, 13.0);
  EXPECT_GE(longer.at(4.0)->interval->high, 28.0);
}

TEST(TableCurve, TakesTheMiddleOneOfThreeLinesElsewhere) {
  // Between 11 at 2 and 14 at 8: through 12, from below 13, from above 14 - 4 * 0.75 / 1 = 11.
  const auto read = curve({{1, 10}, {2, 11}, {8, 14}, {12, 17}}).at(4.0);
  EXPECT_NEAR(read->time.value(), 12.0, 1e-12);
}

// A rough plateau of 100 and 110, geometric mean 10 sqrt(110), does not tell 105 at 1.5 apart from
// it: five entries on each side are averaged.
TEST(TableCurve, AveragesWhatIsNear) {
  std::vector<std::pair<double, double>> entries;
  for (int i = -6; i < 6; ++i) {
    entries.emplace_back(1000.0 + 4.0 * i + 2.0, i % 2 == 0 ? 100.0 : 110.0);
  }
  const auto read = curve(entries).at(1000.0);
  EXPECT_NEAR(read->time.value(), 10.0 * std::sqrt(110.0), 1.1);
}

// The errors of the three entries that can be read without themselves: logarithms of known numbers.
TEST(TableCurve, CarriesTheErrorOfReadingItsOwnEntriesWithoutThem) {
  const auto read = curve({{1, 1}, {2, 2}, {4, 5}, {8, 9}, {16, 18}}).at(3.0);
  // At 2 through (1, 1) and (4, 5): of two lines the one through the neighbours.
  const double at_2 = std::log(7.0 / 3.0 / 2.0);
  // At 4 through (2, 2) and (8, 9), between 4 from below and 4.5 from above.
  const double at_4 = std::log(13.0 / 3.0 / 5.0);
  // At 8 through (4, 5) and (16, 18).
  const double at_8 = std::log(28.0 / 3.0 / 9.0);
  EXPECT_NEAR(*read->error, std::sqrt((at_2 * at_2 + at_4 * at_4 + at_8 * at_8) / 3.0), 1e-12);
}

TEST(TableCurve, HasNoIntervalWhereTooFewEntriesCanBeReadWithoutThemselves) {
  const auto read = curve({{1, 1}, {2, 2}, {4, 4}, {8, 8}}).at(3.0);
  EXPECT_NEAR(read->time.value(), 3.0, 1e-12);
  EXPECT_EQ(read->interval.reason(),
            "the table has too few entries to say how far off it is between them");
}

TEST(TableCurve, LeavesOutWhatIsWithinTwoPercent) {
  const TableCurve left =
      curve({{97, 1}, {98.1, 2}, {100, 3}, {101.9, 4}, {103, 5}}).without(100.0);
  ASSERT_EQ(left.entries().size(), 2U);
  EXPECT_EQ(left.entries()[0].size, 97.0);
  EXPECT_EQ(left.entries()[1].size, 103.0);
}

TEST(TableCurve, TakesTheMedianOfSeveralTimesOfOneSize) {
  EXPECT_EQ(curve({{8, 5}, {8, 3}, {8, 40}}).at(8.0)->time.value(), 5.0);
}

TEST(TableCurve, RefusesWhatIsNoSizeOrTime) {
  EXPECT_THROW(curve({{0, 1}}), InvalidInput);
  EXPECT_THROW(curve({{1, 0}}), InvalidInput);
  EXPECT_THROW(curve({{1, NAN}}), InvalidInput);
}

}  // namespace
}  // namespace splitbench

// Where along a row of values the split is faster.
#include "model/faster_intervals.h"

#include <gtest/gtest.h>

#include <vector>

namespace splitbench {
namespace {

std::vector<FasterInterval> intervals(const std::vector<bool>& faster, const Crossing* crossing) {
  std::vector<double> values;
  for (std::size_t i = 0; i < faster.size(); ++i) values.push_back(10.0 * static_cast<double>(i));
  const auto is_faster = [&](double value) { return faster[static_cast<std::size_t>(value / 10)]; };
  return crossing ? faster_intervals(values, is_faster, *crossing)
                  : faster_intervals(values, is_faster);
}

TEST(FasterIntervals, AreASetForTheWinnerMayChangeMoreThanOnce) {
  const std::vector<FasterInterval> expected{
      {.from = 0, .to = 10, .from_is_first = true, .to_is_last = false},
      {.from = 30, .to = 40, .from_is_first = false, .to_is_last = true}};
  EXPECT_EQ(intervals({true, true, false, true, true}, nullptr), expected);
}

TEST(FasterIntervals, EndWhereTheAnswerChanges) {
  const Crossing middle = [](double slower, double faster) { return (slower + faster) / 2.0; };
  const std::vector<FasterInterval> expected{
      {.from = 5, .to = 25, .from_is_first = false, .to_is_last = false}};
  EXPECT_EQ(intervals({false, true, true, false}, &middle), expected);
}

TEST(FasterIntervals, AreNoneWhereTheSplitIsNeverFaster) {
  EXPECT_TRUE(intervals({false, false}, nullptr).empty());
  EXPECT_TRUE(intervals({}, nullptr).empty());
}

}  // namespace
}  // namespace splitbench

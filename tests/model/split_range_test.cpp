// The model over ranges: its ends, and which range makes it wide.
#include "model/split_range.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/invalid_input.h"
#include "model/split_time.h"

namespace splitbench {
namespace {

// The base case of docs/formulas.md, each range a single number: l + V/B = 30 us + 2 MB / 10 GB/s.
SplitRanges worked() {
  return {.serial = {0.8e-3, 0.8e-3},
          .compute = {12e-3, 12e-3},
          .efficiency = {0.8, 0.8},
          .collective = {0.23e-3, 0.23e-3},
          .collectives = 4,
          .ranks = 2};
}

TEST(SplitRange, OfSingleNumbersIsTheWorkedCase) {
  const SplitTimeRanges times = split_time_ranges(worked());
  EXPECT_NEAR(times.one_device.low, 12.8e-3, 1e-12);
  EXPECT_NEAR(times.split.high, 9.22e-3, 1e-12);
  EXPECT_NEAR(times.speedup.low, 1.388286334, 1e-9);
  EXPECT_NEAR(times.speedup.high, 1.388286334, 1e-9);
}

// C from 1 to 12 ms: 1.8/2.345 = 0.767590618 and 1.388286334, both worked cases. The ratio of the
// ends of T1 and T_N would be 1.8/9.22 to 12.8/2.345, which no C gives.
TEST(SplitRange, SpeedupKeepsThatBothTimesHaveTheSameCompute) {
  SplitRanges ranges = worked();
  ranges.compute = {1e-3, 12e-3};
  const SplitTimeRanges times = split_time_ranges(ranges);
  EXPECT_NEAR(times.speedup.low, 0.767590618, 1e-9);
  EXPECT_NEAR(times.speedup.high, 1.388286334, 1e-9);
}

// Every choice inside the ranges stays inside the answer: a grid of 5^4, by the calculator.
TEST(SplitRange, NoChoiceInsideTheRangesLeavesTheAnswer) {
  const SplitRanges ranges{.serial = {0.0, 2e-3},
                           .compute = {1e-3, 20e-3},
                           .efficiency = {0.5, 1.3},
                           .collective = {1e-5, 1e-3},
                           .collectives = 3,
                           .ranks = 2};
  const SplitTimeRanges times = split_time_ranges(ranges);
  const auto at = [](Interval range, int step) {
    return range.low + (range.high - range.low) * step / 4.0;
  };
  for (int i = 0; i < 625; ++i) {
    const SplitParameters p{.serial = Seconds(at(ranges.serial, i % 5)),
                            .compute = Seconds(at(ranges.compute, i / 5 % 5)),
                            .efficiency = at(ranges.efficiency, i / 25 % 5),
                            .collectives = 3,
                            .latency = Seconds(at(ranges.collective, i / 125)),
                            .bytes = Bytes(0),
                            .bandwidth = BytesPerSecond(1)};
    EXPECT_GE(*speedup(p), times.speedup.low * (1 - 1e-12));
    EXPECT_LE(*speedup(p), times.speedup.high * (1 + 1e-12));
    EXPECT_LE(split_time(p).value(), times.split.high * (1 + 1e-12));
    EXPECT_GE(split_time(p).value(), times.split.low * (1 - 1e-12));
  }
}

TEST(SplitRange, TheOnlyWideRangeIsTheOneToMeasure) {
  SplitRanges ranges = worked();
  ranges.collective = {0.1e-3, 1e-3};
  const auto found = narrowings(ranges);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found.front().parameter, "collective");
  EXPECT_NEAR(found.front().narrower, 1.0, 1e-12);
  EXPECT_NEAR(found.front().speedup.low, found.front().speedup.high, 1e-12);
  EXPECT_NEAR(found.back().narrower, 0.0, 1e-12);
}

// eta 0.5 to 1 changes T_N by 6 ms, the collectives 4 x 0.1 ms: measuring eta narrows more.
TEST(SplitRange, TheOneThatNarrowsMostComesFirst) {
  SplitRanges ranges = worked();
  ranges.efficiency = {0.5, 1.0};
  ranges.collective = {0.2e-3, 0.3e-3};
  const auto found = narrowings(ranges);
  EXPECT_EQ(found[0].parameter, "efficiency");
  EXPECT_EQ(found[1].parameter, "collective");
  EXPECT_GT(found[0].narrower, 0.8);
}

TEST(SplitRange, RefusesWhatIsNoRange) {
  for (const Interval bad :
       {Interval{2.0, 1.0}, Interval{0.0, 1.0}, Interval{1.0, HUGE_VAL}, Interval{NAN, 1.0}}) {
    SplitRanges ranges = worked();
    ranges.efficiency = bad;
    EXPECT_THROW(split_time_ranges(ranges), InvalidInput);
  }
}

}  // namespace
}  // namespace splitbench

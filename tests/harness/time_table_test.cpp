// The table of times, written by hand, as a block.
#include "harness/rank/time_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/error.h"

namespace splitbench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void write(SharedRegion& region, int rank, const std::vector<double>& column) {
  std::copy(column.begin(), column.end(), region.times(rank).begin());
}

// Two repeats of the whole and two layers on two ranks.
TEST(TimeTable, RowsOfEveryRankBecomeABlock) {
  SharedRegion region = SharedRegion::create(2, 0);
  write(region, 0, {3, 1, 2, 30, 10, 20});
  write(region, 1, {5, 2, 3, 50, 20, 30});
  const Block block = block_from_times(region, {.point = 0, .arm = Arm::shard}, 2, 2);
  EXPECT_EQ(block.ranks, 2);
  EXPECT_EQ(block.layers, 2);
  EXPECT_EQ(block.seconds, (std::vector<double>{3, 5, 30, 50}));
  EXPECT_EQ(block.layer_seconds, (std::vector<double>{1, 2, 2, 3, 10, 20, 20, 30}));
}

TEST(TimeTable, AStepOfOneRankHasThatRanksRowsAlone) {
  SharedRegion region = SharedRegion::create(2, 0);
  write(region, 0, {1, 1});
  write(region, 1, {7, 8});
  const Block block =
      block_from_times(region, {.point = 0, .arm = Arm::full, .message = {}, .device = 1}, 2, 0);
  EXPECT_EQ(block.device, 1);
  EXPECT_EQ(block.seconds, (std::vector<double>{7, 8}));
}

TEST(TimeTable, ARepeatThatOneRankHasNoTimeForCountsForNone) {
  SharedRegion region = SharedRegion::create(2, 0);
  write(region, 0, {1, 2, 3});
  write(region, 1, {4, kNone, 6});
  const Block block = block_from_times(region, {.point = 0, .arm = Arm::split}, 3, 0);
  EXPECT_EQ(block.seconds, (std::vector<double>{1, 4, 3, 6}));
}

TEST(TimeTable, NoRepeatAtAllIsAFault) {
  SharedRegion region = SharedRegion::create(2, 0);
  write(region, 0, {kNone});
  write(region, 1, {4});
  EXPECT_THROW(block_from_times(region, {.point = 0, .arm = Arm::split}, 1, 0), HarnessError);
}

}  // namespace
}  // namespace splitbench

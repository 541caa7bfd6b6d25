#include "model/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace splitbench {
namespace {

TEST(Random, IsSplitMix64) {
  // First outputs of the reference SplitMix64 for seed 1234567 (Vigna,
  // prng.di.unimi.it/splitmix64.c, as published in the Rosetta Code task "Pseudo-random
  // numbers/Splitmix64").
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ULL);
  EXPECT_EQ(random.next(), 3203168211198807973ULL);
  EXPECT_EQ(random.next(), 9817491932198370423ULL);
}

TEST(Random, BelowReachesEveryValueAboutEquallyOften) {
  Random random(1);
  std::array<int, 6> counts{};
  for (int i = 0; i < 60000; ++i) ++counts[random.below(6)];
  // Binomial(60000, 1/6): sd 91; five of them.
  for (const int count : counts) EXPECT_NEAR(count, 10000, 460);
}

TEST(Random, ShuffleKeepsTheItemsAndMovesThem) {
  std::vector<int> items(20);
  std::iota(items.begin(), items.end(), 0);
  std::vector<int> shuffled = items;
  Random(7).shuffle(shuffled);
  EXPECT_NE(shuffled, items);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, items);
}

TEST(Random, UniformStaysInTheUnitIntervalWithMeanOneHalf) {
  Random random(3);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double draw = random.uniform();
    ASSERT_GE(draw, 0.0);
    ASSERT_LT(draw, 1.0);
    sum += draw;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 5 * 0.2887 / 100);
}

}  // namespace
}  // namespace splitbench

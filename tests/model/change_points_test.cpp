// Change points of series that were made with known ones.
#include "model/change_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/invalid_input.h"
#include "model/random.h"

namespace splitbench {
namespace {

// Near enough to normal with mean 0 and standard deviation 1: the sum of twelve uniform numbers.
double noise(Random& random) {
  double sum = -6.0;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

struct Level {
  std::size_t runs;
  double value;
};

std::vector<double> series(const std::vector<Level>& levels, double sd, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values;
  for (const Level& level : levels) {
    for (std::size_t i = 0; i < level.runs; ++i) values.push_back(level.value + sd * noise(random));
  }
  return values;
}

std::vector<std::size_t> places(const std::vector<double>& values,
                                const ChangePointRule& rule = {}) {
  std::vector<std::size_t> found;
  for (const ChangePoint& point : change_points(values, rule)) found.push_back(point.first);
  return found;
}

TEST(ChangePoints, AreFoundExactlyWhereNothingElseMoves) {
  EXPECT_EQ(places(series({{10, 1.0}, {12, 2.0}, {9, 1.5}}, 0.0, 1)),
            (std::vector<std::size_t>{10, 22}));
}

// 3 % in noise of 0.7 %, four standard deviations: within two runs of the truth. Beside the two,
// each of the three levels of a series may be cut by chance once in a hundred times: 60 levels, of
// which more than 4 are cut in fewer than 1 of 2000 sets (binomial).
TEST(ChangePoints, AreFoundInNoise) {
  std::size_t by_chance = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto found = places(series({{40, 0.0}, {60, -0.03}, {30, -0.06}}, 0.007, seed));
    for (const std::size_t truth : {40U, 100U}) {
      EXPECT_TRUE(std::any_of(
          found.begin(), found.end(),
          [truth](std::size_t place) { return place + 2 >= truth && place <= truth + 2; }))
          << seed << ": " << truth;
    }
    by_chance += found.size() - std::min<std::size_t>(found.size(), 2);
  }
  EXPECT_LE(by_chance, 4U);
}

// At a significance of 1 % two of 200 series without a change are cut on average; more than 8 are
// in fewer than 3 of 10 000 sets of 200 (binomial).
TEST(ChangePoints, AreSeldomFoundWhereThereAreNone) {
  int cut = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    if (!places(series({{40, 0.0}}, 1.0, seed)).empty()) ++cut;
  }
  EXPECT_LE(cut, 8);
}

TEST(ChangePoints, AreTheSameEveryTime) {
  const auto values = series({{30, 0.0}, {30, 0.02}}, 0.01, 7);
  const auto first = change_points(values, {});
  const auto second = change_points(values, {});
  ASSERT_FALSE(first.empty());
  ASSERT_EQ(first.size(), second.size());
  EXPECT_EQ(first[0].first, second[0].first);
  EXPECT_EQ(first[0].significance, second[0].significance);
}

TEST(ChangePoints, DoNotDependOnUnitOrLevel) {
  auto values = series({{20, 1.0}, {20, 1.1}}, 0.02, 3);
  const auto found = places(values);
  ASSERT_EQ(found.size(), 1U);
  for (double& value : values) value = 1024.0 * value;
  EXPECT_EQ(places(values), found);
}

TEST(ChangePoints, TakeRunsOnBothSides) {
  EXPECT_TRUE(places({}).empty());
  EXPECT_TRUE(places({1.0}).empty());
  EXPECT_TRUE(places(std::vector<double>(50, 1.0)).empty());
  EXPECT_EQ(places(series({{20, 1.0}, {4, 2.0}}, 0.0, 1)), (std::vector<std::size_t>{20}));
  EXPECT_EQ(places(series({{20, 1.0}, {3, 2.0}}, 0.0, 1)), (std::vector<std::size_t>{19}))
      << "where 4 are left";
  EXPECT_TRUE(places({1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0}).empty()) << "7 are no two times 4";
}

TEST(ChangePoints, RefuseWhatMakesNoSense) {
  EXPECT_THROW(places({1.0, std::numeric_limits<double>::quiet_NaN()}), InvalidInput);
  EXPECT_THROW(places({1.0}, {.significance = 0.0}), InvalidInput);
  EXPECT_THROW(places({1.0}, {.significance = 0.001}), InvalidInput) << "499 shuffles are too few";
  EXPECT_THROW(places({1.0}, {.least_runs = 1}), InvalidInput);
}

}  // namespace
}  // namespace splitbench

// Properties of a Williams design as its author states them (Williams 1949), and its rows for small
// n written out by hand.
#include "protocols/order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace splitbench {
namespace {

using Row = std::vector<std::size_t>;

TEST(WilliamsDesign, OfFourTreatments) {
  ASSERT_EQ(williams_rows(4), 4U);
  EXPECT_EQ(williams_row(4, 0), (Row{0, 1, 3, 2}));
  EXPECT_EQ(williams_row(4, 1), (Row{1, 2, 0, 3}));
  EXPECT_EQ(williams_row(4, 2), (Row{2, 3, 1, 0}));
  EXPECT_EQ(williams_row(4, 3), (Row{3, 0, 2, 1}));
}

TEST(WilliamsDesign, OfThreeTreatmentsHasMirroredRows) {
  ASSERT_EQ(williams_rows(3), 6U);
  EXPECT_EQ(williams_row(3, 0), (Row{0, 1, 2}));
  EXPECT_EQ(williams_row(3, 2), (Row{2, 0, 1}));
  EXPECT_EQ(williams_row(3, 3), (Row{2, 1, 0}));
  EXPECT_EQ(williams_row(3, 5), (Row{1, 0, 2}));
}

TEST(WilliamsDesign, OfOneTreatment) {
  EXPECT_EQ(williams_row(1, 0), Row{0});
}

RC_GTEST_PROP(WilliamsDesign, BalancesPositionsAndPredecessors, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 40);
  const std::size_t times = n % 2 == 0 ? 1 : 2;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> at_position;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> follows;
  for (std::size_t row = 0; row < williams_rows(n); ++row) {
    const Row order = williams_row(n, row);
    for (std::size_t i = 0; i < n; ++i) ++at_position[{order[i], i}];
    for (std::size_t i = 1; i < n; ++i) ++follows[{order[i - 1], order[i]}];
  }
  RC_ASSERT(at_position.size() == n * n);
  RC_ASSERT(follows.size() == n * (n - 1));
  for (const auto& [pair, count] : at_position) RC_ASSERT(count == times);
  for (const auto& [pair, count] : follows) RC_ASSERT(count == times);
}

// Relabelling and shuffling keep what the design promises, deck after deck.
RC_GTEST_PROP(BalancedOrder, EachDeckIsBalanced, (std::uint64_t seed)) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 12);
  const std::size_t times = n % 2 == 0 ? 1 : 2;
  Random random(seed);
  BalancedOrder orders(n, random);
  for (int deck = 0; deck < 2; ++deck) {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> follows;
    for (std::size_t row = 0; row < williams_rows(n); ++row) {
      Row order = orders.next();
      for (std::size_t i = 1; i < n; ++i) ++follows[{order[i - 1], order[i]}];
      std::sort(order.begin(), order.end());
      Row all(n);
      std::iota(all.begin(), all.end(), std::size_t{0});
      RC_ASSERT(order == all);
    }
    RC_ASSERT(follows.size() == n * (n - 1));
    for (const auto& [pair, count] : follows) RC_ASSERT(count == times);
  }
}

// 6000 orders of 4 by fair draws: each treatment is first in 1500 of them, standard deviation 34.
TEST(BalancedOrder, EveryTreatmentComesFirstEquallyOftenOverSeeds) {
  std::vector<int> first(4, 0);
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    Random random(seed);
    ++first[BalancedOrder(4, random).next().front()];
  }
  for (const int count : first) EXPECT_NEAR(count, 1500, 5 * 34);
}

}  // namespace
}  // namespace splitbench

// How long a session warms up.
#include "harness/rank/warm_up.h"

#include <gtest/gtest.h>

namespace splitbench {
namespace {

// One step; the median of its one repeat.
RoundRecord round_of(double seconds) {
  RoundRecord round;
  round.blocks.push_back({.step = {}, .block = {.ranks = 1, .seconds = {seconds}}});
  return round;
}

Protocol protocol(std::int64_t warm_up, std::int64_t rounds) {
  Protocol protocol;
  protocol.sampling.warmup_rounds = warm_up;
  protocol.sampling.rounds = rounds;
  return protocol;
}

// The default: two rounds say nothing, and none comes on top of them.
TEST(WarmUp, OfTwoRoundsIsNeverLonger) {
  const Protocol planned = protocol(2, 20);
  WarmUp warm_up(planned, true);
  warm_up.add(round_of(9));
  warm_up.add(round_of(1));
  EXPECT_TRUE(warm_up.is_quiet());
  EXPECT_FALSE(warm_up.wants_more());
}

TEST(WarmUp, IsOverAsPlannedWhereTimesStay) {
  const Protocol planned = protocol(8, 20);
  WarmUp warm_up(planned, true);
  for (const double seconds : {9, 3, 4, 3, 4, 4, 3, 3}) warm_up.add(round_of(seconds));
  EXPECT_FALSE(warm_up.wants_more());
}

// The first round does not count, the ten latest do: a fall that has ended is forgotten.
TEST(WarmUp, GoesOnUntilTheRecentRoundsAreQuiet) {
  const Protocol planned = protocol(8, 20);
  WarmUp warm_up(planned, true);
  for (const double seconds : {20, 19, 18, 17, 16, 15, 14, 13}) warm_up.add(round_of(seconds));
  EXPECT_TRUE(warm_up.wants_more());
  for (int i = 0; warm_up.wants_more(); ++i) warm_up.add(round_of(i % 2 == 0 ? 3 : 4));
  EXPECT_TRUE(warm_up.is_quiet());
  EXPECT_GT(warm_up.rounds(), 8);
  EXPECT_LT(warm_up.rounds(), 20);
}

TEST(WarmUp, EndsUnquietAfterAsManyRoundsAgainAsAreMeasured) {
  const Protocol planned = protocol(8, 5);
  WarmUp warm_up(planned, true);
  for (int i = 0; i < 8 || warm_up.wants_more(); ++i) warm_up.add(round_of(100 - i));
  EXPECT_EQ(warm_up.rounds(), 13);
  EXPECT_FALSE(warm_up.is_quiet());
}

// With the clock on the wall: no time left of a budget that is over.
TEST(WarmUp, KeepsToItsShareOfTheBudget) {
  Protocol planned = protocol(8, 5);
  planned.sampling.budget = Seconds(1e-9);
  WarmUp warm_up(planned, false);
  for (int i = 0; i < 8; ++i) warm_up.add(round_of(100 - i));
  EXPECT_FALSE(warm_up.is_quiet());
  EXPECT_FALSE(warm_up.wants_more());
}

}  // namespace
}  // namespace splitbench

// A plan: every step once a round, balanced, on rotating devices, the same from the same seed.
#include "protocols/plan.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/protocols/bad_protocols.h"

namespace splitbench {
namespace {

Protocol smallest() {
  return load_protocol(kSmallestDocument, "x.json");
}

Protocol three_points() {
  Protocol protocol = smallest();
  protocol.points = {{1, 768, 3072, 4, DataType::fp32},
                     {16, 768, 3072, 4, DataType::fp32},
                     {16, 768, 3072, 4, DataType::bf16}};
  protocol.ranks = 4;
  return protocol;
}

std::string described(const Step& step) {
  std::string text = std::to_string(step.point) + " " + std::string(name(step.arm));
  if (step.message) text += " " + std::to_string(static_cast<long long>(step.message->value()));
  return text + (step.device ? " on " + std::to_string(*step.device) : " on all");
}

std::vector<std::string> described(const std::vector<Step>& steps) {
  std::vector<std::string> texts(steps.size());
  std::transform(steps.begin(), steps.end(), texts.begin(),
                 [](const Step& step) { return described(step); });
  return texts;
}

std::vector<double> in_bytes(const std::vector<Bytes>& sizes) {
  std::vector<double> numbers(sizes.size());
  std::transform(sizes.begin(), sizes.end(), numbers.begin(),
                 [](Bytes size) { return size.value(); });
  return numbers;
}

TEST(RoundSteps, AreEveryArmOfThePointWhereItRuns) {
  Protocol protocol = smallest();  // y is 1 x 2 in fp32: a message of 8 bytes
  protocol.collective_sweep = {{-1, 0, 1}, {Bytes(64)}};
  EXPECT_EQ(described(round_steps(protocol, 1)),
            (std::vector<std::string>{
                "0 empty on 1", "0 empty on all", "0 serial on 1", "0 serial on all", "0 full on 1",
                "0 shard on all", "0 shard_alone on 1", "0 collective 8 on all",
                "0 collective_pipelined 8 on all", "0 collective_sweep 4 on all",
                "0 collective_sweep 16 on all", "0 collective_sweep 64 on all", "0 unsplit on 1",
                "0 split on all", "0 split_without_collective on all", "0 twin on 1"}));
}

// M = 16 x 768 x 2 bytes = 24576 bytes of bf16. 24576 / sqrt 2 = 17377.86, 8688.93 elements;
// 24576 x 2^0.25 = 29225.8, 14612.9 elements.
TEST(SweepSizes, AreWholeElementsAroundTheMessage) {
  Protocol protocol = three_points();
  protocol.collective_sweep = {{-0.5, 0.25, 0}, {}};
  EXPECT_EQ(in_bytes(sweep_sizes(protocol, 2)), (std::vector<double>{17378, 29226}));
}

TEST(SweepSizes, EqualOnesAreMeasuredOnceAndTheOwnSizeNotAtAll) {
  Protocol protocol = smallest();  // a message of 8 bytes, two elements
  // 8 x 2^-0.25 = 6.73 is nearest to two elements, 2^-1 and 2^-3 to one; 5 bytes are one element.
  protocol.collective_sweep = {{-0.25, -1, -3, 0.5, 1}, {Bytes(16), Bytes(5), Bytes(8)}};
  EXPECT_EQ(in_bytes(sweep_sizes(protocol, 0)), (std::vector<double>{4, 12, 16}));
}

TEST(SweepSizes, CoarseGridIsMeasuredOncePerDataType) {
  Protocol protocol = three_points();
  protocol.collective_sweep = {{}, {Bytes(4096)}};
  EXPECT_EQ(in_bytes(sweep_sizes(protocol, 0)), std::vector<double>{4096});
  EXPECT_TRUE(sweep_sizes(protocol, 1).empty());
  EXPECT_EQ(in_bytes(sweep_sizes(protocol, 2)), std::vector<double>{4096});
}

RC_GTEST_PROP(Plan, VisitsEveryStepOnceARound, (std::uint64_t seed)) {
  const Protocol protocol = three_points();
  const Plan plan = make_plan(protocol, seed);
  RC_ASSERT(plan.sessions.size() == 6U);
  for (const Session& session : plan.sessions) {
    RC_ASSERT(session.warm_up.size() == 2U);
    RC_ASSERT(session.rounds.size() == 5U);
    std::vector<Round> all = session.warm_up;
    all.insert(all.end(), session.rounds.begin(), session.rounds.end());
    for (const Round& round : all) {
      auto visited = described(round.steps);
      auto expected = described(round_steps(protocol, round.device));
      std::sort(visited.begin(), visited.end());
      std::sort(expected.begin(), expected.end());
      RC_ASSERT(visited == expected);
    }
  }
}

RC_GTEST_PROP(Plan, OneRankArmsOfARoundShareADeviceThatRotates, (std::uint64_t seed)) {
  const Plan plan = make_plan(three_points(), seed);
  for (const Session& session : plan.sessions) {
    std::vector<Round> all = session.warm_up;
    all.insert(all.end(), session.rounds.begin(), session.rounds.end());
    for (std::size_t i = 0; i < all.size(); ++i) {
      RC_ASSERT(all[i].device == (all[0].device + static_cast<int>(i)) % 4);
      for (const Step& step : all[i].steps)
        RC_ASSERT(step.device.value_or(all[i].device) == all[i].device);
    }
  }
}

TEST(Plan, SessionsStartOnEveryDevice) {
  std::set<int> first;
  Protocol many = three_points();
  many.sampling.sessions = 60;
  for (const Session& session : make_plan(many, 1).sessions) {
    first.insert(session.warm_up[0].device);
  }
  EXPECT_EQ(first, (std::set<int>{0, 1, 2, 3}));
}

// First-order balance: within a session no step follows the same other step in more than one round
// (two for an odd number of steps), as the rounds are rows of one Williams design.
RC_GTEST_PROP(Plan, NoStepFollowsTheSameOtherAgainAndAgain, (std::uint64_t seed)) {
  const Plan plan = make_plan(three_points(), seed);
  const auto where = [](const Step& step) {
    Step placed = step;
    if (placed.device) placed.device = 0;
    return described(placed);
  };
  for (const Session& session : plan.sessions) {
    std::map<std::pair<std::string, std::string>, int> follows;
    for (const Round& round : session.rounds) {
      for (std::size_t i = 1; i < round.steps.size(); ++i) {
        const int times = ++follows[{where(round.steps[i - 1]), where(round.steps[i])}];
        RC_ASSERT(times <= (round.steps.size() % 2 == 0 ? 1 : 2));
      }
    }
  }
}

TEST(Plan, SameSeedSamePlanOtherSeedOtherPlan) {
  EXPECT_EQ(make_plan(three_points(), 7), make_plan(three_points(), 7));
  EXPECT_NE(make_plan(three_points(), 7), make_plan(three_points(), 8));
}

// Worked from the rules in plan.h, order.h and random.h by a separate program (Python), not by this
// code: the required arms of one point, two ranks, seed 42, the first round of warm-up and two
// more.
TEST(Plan, OfSeed42IsTheOneThatTheWrittenRulesGive) {
  Protocol protocol = smallest();
  std::erase_if(protocol.arms, [](Arm arm) { return !required(arm); });
  protocol.sampling.sessions = 2;
  protocol.sampling.warmup_rounds = 1;
  protocol.sampling.rounds = 2;
  const Plan plan = make_plan(protocol, 42);
  ASSERT_EQ(plan.sessions.size(), 2U);

  const Session& first = plan.sessions[0];
  EXPECT_EQ(first.warm_up[0].device, 0);
  EXPECT_EQ(described(first.warm_up[0].steps),
            (std::vector<std::string>{"0 serial on all", "0 full on 0", "0 serial on 0",
                                      "0 collective 8 on all", "0 empty on all", "0 unsplit on 0",
                                      "0 shard on all", "0 empty on 0", "0 split on all"}));
  EXPECT_EQ(first.rounds[0].device, 1);
  EXPECT_EQ(described(first.rounds[0].steps),
            (std::vector<std::string>{"0 unsplit on 1", "0 empty on 1", "0 collective 8 on all",
                                      "0 split on all", "0 full on 1", "0 shard on all",
                                      "0 serial on all", "0 empty on all", "0 serial on 1"}));
  EXPECT_EQ(first.rounds[1].device, 0);
  EXPECT_EQ(described(first.rounds[1].steps),
            (std::vector<std::string>{"0 empty on 0", "0 unsplit on 0", "0 split on all",
                                      "0 collective 8 on all", "0 shard on all", "0 full on 0",
                                      "0 empty on all", "0 serial on all", "0 serial on 0"}));

  EXPECT_EQ(described(plan.sessions[1].rounds[1].steps),
            (std::vector<std::string>{"0 shard on all", "0 unsplit on 0", "0 empty on 0",
                                      "0 serial on all", "0 full on 0", "0 empty on all",
                                      "0 collective 8 on all", "0 split on all", "0 serial on 0"}));
}

TEST(Plan, SessionsDifferAmongThemselves) {
  const Plan plan = make_plan(three_points(), 1);
  EXPECT_NE(plan.sessions[0].rounds, plan.sessions[1].rounds);
}

TEST(Plan, MoreSessionsOrRoundsLeaveTheFirstOnesAsTheyWere) {
  Protocol longer = three_points();
  longer.sampling.sessions = 10;
  longer.sampling.rounds = 8;
  const Plan plan = make_plan(three_points(), 3);
  const Plan more = make_plan(longer, 3);
  for (std::size_t i = 0; i < plan.sessions.size(); ++i) {
    EXPECT_EQ(plan.sessions[i].warm_up, more.sessions[i].warm_up);
    EXPECT_TRUE(std::equal(plan.sessions[i].rounds.begin(), plan.sessions[i].rounds.end(),
                           more.sessions[i].rounds.begin()));
  }
}

// Eight devices and five rounds: were the first device drawn at random, a device would be missing
// from some sessions, and what is paired inside a session with it.
TEST(Plan, WithFewerRoundsThanDevicesEverySessionSeesTheSameDevices) {
  Protocol protocol = load_protocol(kSmallestDocument, "x.json");
  protocol.ranks = 8;
  protocol.points = {{.tokens = 1, .d_model = 8, .d_ff = 16}};
  protocol.sampling.rounds = 5;
  for (const Session& session : make_plan(protocol, 3).sessions) {
    std::vector<int> devices;
    for (const Round& round : session.rounds) devices.push_back(round.device);
    EXPECT_EQ(devices, (std::vector<int>{0, 1, 2, 3, 4}));
  }
}

}  // namespace
}  // namespace splitbench

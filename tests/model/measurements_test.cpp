// What samples must look like, and how a block is read.
#include "model/measurements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

#include "model/invalid_input.h"
#include "model/summary.h"
#include "model/worked_cases.h"
#include "tests/model/scenario.h"

namespace splitbench {
namespace {

// The predictor's samples have no place for what it predicts, and the two kinds do not convert.
template <class Arm>
concept HoldsMeasuredSplit = requires {
  Arm::unsplit;
}
|| requires {
  Arm::twin;
}
|| requires {
  Arm::split;
}
|| requires {
  Arm::split_without_collective;
};
static_assert(!HoldsMeasuredSplit<ParameterArm>);
static_assert(HoldsMeasuredSplit<ValidationArm>);
static_assert(!std::is_convertible_v<ValidationSamples, ParameterSamples>);
static_assert(!std::is_convertible_v<ValidationSession, ParameterSession>);
static_assert(!std::is_convertible_v<ValidationArm, ParameterArm>);

// Two repeats, two layers, two ranks.
Block small_block() {
  Block block;
  block.round = 3;
  block.ranks = 2;
  block.layers = 2;
  block.seconds = {7, 9, 5, 4};
  block.layer_seconds = {3, 4, 4, 5, 1, 3, 4, 1};
  return block;
}

TEST(Block, IsReadByRepeat) {
  const Block block = small_block();
  EXPECT_EQ(block.repeats(), 2U);
  EXPECT_EQ(longest_rank(block, 0), 9);
  EXPECT_EQ(longest_rank(block, 1), 5);
  EXPECT_EQ(shortest_rank(block, 1), 4);
  EXPECT_EQ(longest_by_layer(block, 0), 4 + 5);
  EXPECT_EQ(longest_by_layer(block, 1), 3 + 4);
  EXPECT_EQ(shortest_by_layer(block, 1), 1 + 1);
}

TEST(Block, WithoutLayersIsReadAsAWhole) {
  Block block = small_block();
  block.layers = 0;
  block.layer_seconds.clear();
  EXPECT_EQ(longest_by_layer(block, 0), 9);
}

TEST(SessionMedian, IsThatOfBlockMediansNotOfPooledRepeats) {
  // Block medians 1, 2 and 9; the pooled repeats would say 1.
  const std::vector<Block> blocks{plain_block(0, 0, 1, 7, 1.0), plain_block(1, 1, 1, 2, 2.0),
                                  plain_block(2, 0, 1, 1, 9.0)};
  EXPECT_EQ(session_median(blocks, longest_rank), 2.0);
  EXPECT_EQ(session_median(blocks, longest_rank, 0), 5.0);
  EXPECT_EQ(session_median(blocks, longest_rank, 7), std::nullopt);
  EXPECT_EQ(session_median({}, longest_rank), std::nullopt);
}

TEST(Summary, HasNoP99BelowAHundredSamples) {
  const std::vector<Block> first{plain_block(0, 0, 1, 60, 1.0)};
  const std::vector<Block> second{plain_block(0, 0, 1, 39, 4.0)};
  const std::vector<const std::vector<Block>*> sessions{&first, &second};
  const Summary summary = summarize(sessions, longest_rank, 0.95).value();
  EXPECT_EQ(summary.samples, 99U);
  EXPECT_EQ(summary.sessions, 2U);
  EXPECT_EQ(summary.median, 1.0);
  EXPECT_DOUBLE_EQ(summary.mean, (60 * 1.0 + 39 * 4.0) / 99.0);
  EXPECT_EQ(summary.p75, 4.0);
  EXPECT_EQ(summary.p99.reason(), "fewer than 100 samples");
  EXPECT_DOUBLE_EQ(summary.typical.value, 2.0);  // sqrt(1 * 4)

  const std::vector<Block> third{plain_block(0, 0, 1, 1, 8.0)};
  const std::vector<const std::vector<Block>*> more{&first, &second, &third};
  EXPECT_EQ(summarize(more, longest_rank, 0.95).value().p99.value(), 4.0);
}

TEST(Summary, OfNothingSaysNotMeasured) {
  const std::vector<Block> none;
  const std::vector<const std::vector<Block>*> sessions{&none};
  EXPECT_EQ(summarize(sessions, longest_rank, 0.95).reason(), "not measured");
}

class BadSamples : public ::testing::Test {
 protected:
  ParameterSamples samples_ =
      parameter_samples({.truth = worked_base_case(), .sessions = 2, .rounds = 1});

  Block& shard() { return samples_.sessions[1].arms[ParameterArm::shard][0]; }

  std::string complaint() const {
    try {
      check(samples_);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(BadSamples, AreNoneAsMade) {
  EXPECT_EQ(complaint(), "");
}

TEST_F(BadSamples, AreRefusedWithSessionArmAndRound) {
  shard().seconds[1] = std::nan("");
  EXPECT_EQ(complaint(), "session 1, shard, round 0: expected finite times of at least 0 s");
}

TEST_F(BadSamples, NegativeTime) {
  shard().layer_seconds[0] = -1e-9;
  EXPECT_EQ(complaint(), "session 1, shard, round 0: expected finite times of at least 0 s");
}

TEST_F(BadSamples, RankTooFew) {
  shard().ranks = 1;
  EXPECT_EQ(complaint(), "session 1, shard, round 0: expected 2 ranks");
}

TEST_F(BadSamples, RepeatCutShort) {
  shard().seconds.pop_back();
  EXPECT_EQ(complaint(),
            "session 1, shard, round 0: expected at least one repeat, with a time for each of its "
            "ranks");
}

TEST_F(BadSamples, NoRepeats) {
  shard().seconds.clear();
  shard().layer_seconds.clear();
  EXPECT_NE(complaint(), "");
}

TEST_F(BadSamples, ShardWithoutLayers) {
  shard().layers = 0;
  shard().layer_seconds.clear();
  EXPECT_EQ(complaint(), "session 1, shard, round 0: expected stamps of 4 layers");
}

TEST_F(BadSamples, LayerMissing) {
  shard().layer_seconds.pop_back();
  EXPECT_EQ(complaint(),
            "session 1, shard, round 0: expected a time for each repeat, layer and rank");
}

TEST_F(BadSamples, ClockThatStandsStill) {
  shard().clock_hz = 0.0;
  EXPECT_EQ(complaint(), "session 1, shard, round 0: expected a clock above 0 Hz, or none");
}

TEST_F(BadSamples, SessionTwice) {
  samples_.sessions[1].session = 0;
  EXPECT_EQ(complaint(), "session 0: expected each session once");
}

TEST_F(BadSamples, SweepOfNothing) {
  samples_.sessions[0].sweep[0].wire = Bytes(0);
  EXPECT_EQ(complaint(), "session 0, sweep: expected sizes above 0 bytes");
}

TEST_F(BadSamples, OneRankSplitsNothing) {
  samples_.ranks = 1;
  EXPECT_EQ(complaint(), "expected at least 2: one rank splits nothing");
}

TEST_F(BadSamples, NothingOnTheWire) {
  samples_.wire = Bytes(0);
  EXPECT_EQ(complaint(), "expected a finite number of bytes above 0");
}

}  // namespace
}  // namespace splitbench

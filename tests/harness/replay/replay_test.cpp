// Points read from tables: tests/harness/replay/worked.h has the arithmetic.
#include "harness/backends/replay/replay.h"

#include <gtest/gtest.h>

#include "model/invalid_input.h"
#include "tests/harness/replay/worked.h"

namespace splitbench::replay {
namespace {

Tables tables(const std::string& collective = collective_text(20, 100),
              const std::string& implementation = "") {
  return read_tables({.name = "mlp.tsv", .text = mlp_text()},
                     {{.name = "dir/ring.tsv", .text = collective},
                      {.name = "one-shot.tsv", .text = collective_text(5)}},
                     implementation);
}

Operation operation(std::int64_t tokens, std::int64_t layers = 1) {
  return {
      .tokens = tokens, .d_model = 1000, .d_ff = 4000, .layers = layers, .dtype = DataType::fp16};
}

Answer<TabulatedPoint> read(std::int64_t tokens, std::optional<LeftOut> left_out = {}) {
  return read_point(tables(), operation(tokens), 2, left_out, 0.01);
}

double microseconds(Seconds time) {
  return 1e6 * time.value();
}

TEST(Replay, AddsEntriesUp) {
  const auto point = read_point(tables(), operation(16, 3), 2, {}, 0.01);
  const TabulatedSplit& split = *point->implementations[0].split;
  EXPECT_NEAR(microseconds(split.one_device.time), 3 * 260.0, 1e-9);
  EXPECT_NEAR(microseconds(split.split.time), 3 * 192.0, 1e-9);
  EXPECT_FALSE(split.split.interpolated);
  EXPECT_EQ(split.verdict.outcome, SplitOutcome::faster);
}

TEST(Replay, ComparesImplementations) {
  const auto point = read(16);
  ASSERT_EQ(point->implementations.size(), 2U);
  EXPECT_EQ(point->implementations[0].name, "ring");
  EXPECT_EQ(point->implementations[1].name, "one-shot");
  EXPECT_NEAR(microseconds(point->implementations[1].split->split.time), 177.0, 1e-9);
}

TEST(Replay, PredictsWithTheImplementationThatIsNamed) {
  EXPECT_EQ(tables(collective_text(20), "one-shot").collectives[0].source().name, "one-shot");
  EXPECT_THROW(tables(collective_text(20), "tree"), InvalidInput);
}

TEST(Replay, ReadsBetweenEntriesWithTheErrorOfThat) {
  const auto point = read(24);
  const TabulatedSplit& split = *point->implementations[0].split;
  EXPECT_NEAR(microseconds(split.one_device.time), 340.0, 1e-9);  // straight lines: exact
  EXPECT_NEAR(microseconds(split.split.time), 248.0, 1e-9);
  ASSERT_TRUE(split.split.interval);
  EXPECT_TRUE(split.split.interval->contains(248e-6));
}

// 512 tokens are 1.024 MB, the first entry with 100 us more. Left out, a straight line from 256
// tokens (532 us) to 1024 (2168 us) is at 532 + 1636 / 3; the entry says 1144.
TEST(Replay, APredictionDoesNotReadTheEntryThatIsLeftOut) {
  const auto hidden = read(512, LeftOut{.own = true});
  EXPECT_NEAR(microseconds(hidden->layer.collective.time), 532.0 + 1636.0 / 3.0, 1e-6);
  EXPECT_NEAR(microseconds(*hidden->tn), 60 + 5 * 512 + 1144, 1e-6);

  const auto changed =
      read_point(tables(collective_text(20, 777)), operation(512), 2, LeftOut{.own = true}, 0.01);
  const auto same = read_point(tables(collective_text(20, 778)), operation(512), 2,
                               LeftOut{.bytes = Bytes(1024000)}, 0.01);
  EXPECT_NEAR(microseconds(*same->tn) - microseconds(*changed->tn), 1.0, 1e-6);
}

TEST(Replay, WithoutAnythingLeftOutThereIsNoSecondTn) {
  EXPECT_EQ(read(16)->tn.reason(), "nothing was measured: the tables have the parts of a split");
  EXPECT_EQ(read(16, LeftOut{.bytes = Bytes(2000)})->tn.reason(),
            "the prediction reads the entry of this message: another one is left out");
}

TEST(Replay, RefusesWhatATableDoesNotCover) {
  const auto reason = [](const Operation& of, int ranks = 2) {
    return read_point(tables(), of, ranks, {}, 0.01).reason();
  };
  EXPECT_EQ(reason(operation(2048)),
            "mlp does not cover 2048 tokens of d_model 1000, d_ff 4000; it covers d_model 1000, "
            "d_ff 4000 with 1 to 1024 tokens");
  Operation wide = operation(1024);
  wide.dtype = DataType::fp32;
  EXPECT_EQ(reason(wide),
            "ring does not cover 4096000 bytes over 2 ranks; it covers 2 ranks with 2000 to "
            "2048000 bytes");
  EXPECT_EQ(read(1, LeftOut{.own = true}).reason(),
            "ring has no entry on one side of 2000 bytes but those left out");
}

TEST(Replay, TheSerialPartIsZeroUnlessTheTableHasIt) {
  const Tables with = read_tables({.name = "mlp.tsv", .text = mlp_text("\tserial_us", "\t7")},
                                  {{.name = "ring.tsv", .text = collective_text(20)}}, "");
  const auto point = read_point(with, operation(16), 2, {}, 0.01);
  EXPECT_NEAR(microseconds(point->implementations[0].split->one_device.time), 267.0, 1e-9);
  EXPECT_NEAR(microseconds(point->implementations[0].split->split.time), 199.0, 1e-9);
}

TEST(Replay, EveryRowOfTheWantedWidthsIsAPoint) {
  EXPECT_EQ(rows(tables().mlp, operation(1), {}, {}).size(), 11U);
  EXPECT_EQ(rows(tables().mlp, operation(1), 1000, 4000).back(), operation(1024));
  EXPECT_TRUE(rows(tables().mlp, operation(1), 1001, {}).empty());
}

// Around 32 tokens, its own entry left out: 20 us and 1 GB/s.
TEST(Replay, TheLineIsOfOtherSizesThanTheOperationsOwn) {
  std::string text = collective_text(20);
  text += "2\t48000\t68\n2\t96000\t116\n";
  const auto point = read_point(tables(text), operation(32), 2, {}, 0.01);
  ASSERT_TRUE(point->line) << point->line.reason();
  EXPECT_NEAR(microseconds(point->line->latency), 20.0, 1e-6);
  EXPECT_NEAR(point->line->bandwidth.value(), 1e9, 1.0);
  EXPECT_EQ(point->line->points, 4U);
}

}  // namespace
}  // namespace splitbench::replay

// A sweep of one collective as pieces: known lines come back, and what has no line says so.
#include "model/collective_curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

// 10 us and 1 GB/s up to 64 KiB, 30 us and 4 GB/s from 128 KiB on, exactly.
std::vector<SizeTime> two_lines() {
  std::vector<SizeTime> points;
  for (double size = 1024; size <= 8 * 1048576.0; size *= 2) {
    const bool small = size <= 65536;
    points.push_back({Bytes(size), Seconds(small ? 10e-6 + size / 1e9 : 30e-6 + size / 4e9)});
  }
  return points;
}

TEST(CollectiveCurve, FindsBothLinesAndWhereTheyMeet) {
  const CollectiveCurve curve(two_lines());
  ASSERT_EQ(curve.segments().size(), 2U);
  const CurvePiece& small = curve.segments()[0];
  EXPECT_EQ(small.largest, Bytes(65536));
  EXPECT_NEAR(small.latency.value(), 10e-6, 1e-12);
  EXPECT_NEAR(small.bandwidth->value(), 1e9, 1e3);
  const CurvePiece& large = curve.segments()[1];
  EXPECT_EQ(large.smallest, Bytes(131072));
  EXPECT_NEAR(large.latency.value(), 30e-6, 1e-12);
  EXPECT_NEAR(large.bandwidth->value(), 4e9, 1e4);
  EXPECT_LT(large.max_relative_error, 1e-9);
}

TEST(CollectiveCurve, ReadsTheLocalLine) {
  const CollectiveCurve curve(two_lines());
  const auto piece = curve.around(Bytes(3e6));
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->smallest, Bytes(2097152));  // within a factor of 2: 2 and 4 MiB, and one more
  EXPECT_EQ(piece->points, 3U);
  EXPECT_NEAR(piece->at(Bytes(3e6)).value(), 30e-6 + 3e6 / 4e9, 1e-12);
}

TEST(CollectiveCurve, SaysNothingBetweenSegmentsAndOutside) {
  const CollectiveCurve curve(two_lines());
  const auto between = curve.around(Bytes(100'000));
  ASSERT_FALSE(between);
  EXPECT_NE(between.reason().find("bimodal"), std::string::npos);
  EXPECT_TRUE(curve.near_break(Bytes(70'000)));
  EXPECT_FALSE(curve.near_break(Bytes(2e6)));
  EXPECT_THROW(curve.around(Bytes(1000)), InvalidInput);
  EXPECT_THROW(curve.around(Bytes(9e6)), InvalidInput);
}

// Weighted least squares in exact fractions, t of 3 degrees of freedom 3.182446305.
TEST(CollectiveCurve, GivesIntervals) {
  const CollectiveCurve curve(std::vector<SizeTime>{{Bytes(1e6), Seconds(0.31e-3)},
                                                    {Bytes(2e6), Seconds(0.49e-3)},
                                                    {Bytes(3e6), Seconds(0.72e-3)},
                                                    {Bytes(4e6), Seconds(0.88e-3)},
                                                    {Bytes(5e6), Seconds(1.12e-3)}});
  ASSERT_EQ(curve.segments().size(), 1U);
  const CurvePiece& piece = curve.segments()[0];
  EXPECT_NEAR(piece.latency.value(), 1.0883389212e-4, 1e-13);
  EXPECT_NEAR(piece.bandwidth->value(), 5054866115.04, 1.0);
  EXPECT_NEAR(piece.latency_interval->low, 6.8706121598e-5, 1e-12);
  EXPECT_NEAR(piece.latency_interval->high, 1.48961662647e-4, 1e-12);
  EXPECT_NEAR(piece.bandwidth_interval->low, 4616964712.2, 10.0);
  EXPECT_NEAR(piece.bandwidth_interval->high, 5584538149.0, 10.0);
  EXPECT_NEAR(piece.max_relative_error, 0.0295760098, 1e-9);
}

// Small messages take as long as none: 1/12 + 1/11 + 1/10 over 1/144 + 1/121 + 1/100 is 10.8788.
TEST(CollectiveCurve, TakesAMeanWhereTimeDoesNotGrow) {
  const CollectiveCurve curve(std::vector<SizeTime>{
      {Bytes(8), Seconds(12e-6)}, {Bytes(16), Seconds(11e-6)}, {Bytes(32), Seconds(10e-6)}});
  const CurvePiece& piece = curve.segments().at(0);
  EXPECT_NEAR(piece.latency.value(), 10.8788e-6, 1e-10);
  EXPECT_FALSE(piece.bandwidth);
  EXPECT_FALSE(piece.latency_interval);
  EXPECT_EQ(piece.at(Bytes(16)), piece.latency);
  EXPECT_NEAR(piece.max_relative_error, 1.0 - 10.8788 / 12.0, 1e-5);
}

TEST(CollectiveCurve, TakesTimesOfOneSizeTogether) {
  std::vector<SizeTime> points = two_lines();
  points.push_back({points.front().wire, points.front().time * 1.02});
  points.front().time = points.front().time * 0.98;
  EXPECT_NEAR(CollectiveCurve(points).segments()[0].latency.value(), 10e-6, 1e-12);
}

TEST(CollectiveCurve, RefusesFewerThanThreeSizes) {
  const std::vector<SizeTime> two{{Bytes(8), Seconds(1e-6)}, {Bytes(16), Seconds(1e-6)}};
  EXPECT_THROW(CollectiveCurve{two}, InvalidInput);
}

}  // namespace
}  // namespace splitbench

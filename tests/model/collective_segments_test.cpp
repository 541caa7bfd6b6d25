// Where the line of a collective breaks.
#include "model/collective_segments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "model/invalid_input.h"
#include "model/pooled_sweep.h"
#include "tests/model/noise.h"

namespace splitbench {
namespace {

// Microseconds at `count` sizes from `first` bytes, `per_octave` of them in an octave.
std::vector<SizeTime> table(double first, double per_octave, int count,
                            const std::function<double(double bytes)>& microseconds) {
  std::vector<SizeTime> points;
  for (int i = 0; i < count; ++i) {
    const double bytes = first * std::exp2(i / per_octave);
    points.push_back({Bytes(bytes), Seconds(microseconds(bytes) * 1e-6)});
  }
  return points;
}

// A latency-bound protocol up to 64 KiB, another one up to 1 MiB, and a jump to a third: the shape
// of a library's table, with round numbers.
double three_protocols(double bytes) {
  if (bytes <= 65536) return 6 + bytes / 60e3;
  if (bytes <= 1048576) return 8 + bytes / 150e3;
  return 20 + bytes / 300e3;
}

TEST(FindSegments, FindsTheBreaksOfATable) {
  const auto segments = find_segments(table(1024, 4, 61, three_protocols), kSizeNoise);
  ASSERT_EQ(segments.size(), 3U);
  EXPECT_EQ(segments[0].smallest, Bytes(1024));
  EXPECT_NEAR(segments[0].largest.value(), 65536, 1);
  EXPECT_NEAR(segments[1].smallest.value(), 65536 * std::exp2(0.25), 1);
  EXPECT_NEAR(segments[1].largest.value(), 1048576, 1);
  EXPECT_NEAR(segments[2].smallest.value(), 1048576 * std::exp2(0.25), 1);
  EXPECT_NEAR(segments[2].largest.value(), 1024 * std::exp2(15.0), 1);
}

TEST(FindSegments, LeavesTheLineOfEachSegmentExact) {
  const auto points = table(1024, 4, 61, three_protocols);
  const auto segments = find_segments(points, kSizeNoise);
  const CollectiveLine line = fit_line(points_in(segments.at(1), points)).value();
  EXPECT_NEAR(line.latency.value(), 8e-6, 1e-12);
  EXPECT_NEAR(line.bandwidth.value(), 150e9, 1);
}

// The same table with 2 % of noise, 200 times: nothing but the two breaks, each found within one
// size (a quarter octave) of where it is.
TEST(FindSegments, FindsThemUnderNoise) {
  Random random(3);
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    auto points = table(1024, 4, 61, three_protocols);
    for (SizeTime& point : points) point.time = (1.0 + 0.02 * normal(random)) * point.time;
    const auto segments = find_segments(points, kSizeNoise);
    if (segments.size() == 3 && std::abs(std::log2(segments[0].largest.value() / 65536)) < 0.26 &&
        std::abs(std::log2(segments[1].largest.value() / 1048576)) < 0.26) {
      ++found;
    }
  }
  EXPECT_GE(found, 190);
}

TEST(FindSegments, OneLineUnderNoiseIsOneSegment) {
  Random random(5);
  int one = 0;
  for (int i = 0; i < 200; ++i) {
    auto points = table(1024, 4, 61, [](double bytes) { return 8 + bytes / 150e3; });
    for (SizeTime& point : points) point.time = (1.0 + 0.02 * normal(random)) * point.time;
    if (find_segments(points, kSizeNoise).size() == 1) ++one;
  }
  EXPECT_GE(one, 190);
}

// The default sweep of a run is 6 sizes: a jump of 30 % just there must show, 2 % of noise must
// not.
TEST(FindSegments, AJumpAmongSixSizes) {
  const auto six = [](double jump) {
    std::vector<SizeTime> points;
    for (const double octave : {-1.0, -0.5, -0.25, 0.25, 0.5, 1.0}) {
      const double bytes = 1e6 * std::exp2(octave);
      const double time = 10e-6 + bytes / 100e9;
      points.push_back({Bytes(bytes), Seconds(octave > 0 ? jump * time : time)});
    }
    return points;
  };
  EXPECT_EQ(find_segments(six(1.3), kSizeNoise).size(), 2U);
  EXPECT_EQ(find_segments(six(1.02), kSizeNoise).size(), 1U);
  // Where every time is known to 10 % alone, 30 % says less.
  EXPECT_EQ(find_segments(six(1.3), 0.1).size(), 1U);
}

TEST(FindSegments, TakesPointsOfOneSizeAsOne) {
  const std::vector<SizeTime> points{{Bytes(4), Seconds(4)},
                                     {Bytes(1), Seconds(1)},
                                     {Bytes(2), Seconds(1)},
                                     {Bytes(2), Seconds(3)}};
  const auto segments = find_segments(points, kSizeNoise);
  ASSERT_EQ(segments.size(), 1U);
  EXPECT_EQ(segments[0].smallest, Bytes(1));
  EXPECT_EQ(segments[0].largest, Bytes(4));
  const std::vector<SizeTime> two{
      {Bytes(1), Seconds(1)}, {Bytes(2), Seconds(1)}, {Bytes(2), Seconds(3)}};
  EXPECT_TRUE(find_segments(two, kSizeNoise).empty());
}

TEST(FindSegments, RefusesWhatHasNoLogarithm) {
  const std::vector<SizeTime> no_time{{Bytes(1), Seconds(0)}};
  const std::vector<SizeTime> no_size{{Bytes(0), Seconds(1)}};
  EXPECT_THROW(find_segments(no_time, kSizeNoise), InvalidInput);
  EXPECT_THROW(find_segments(no_size, kSizeNoise), InvalidInput);
  EXPECT_THROW(find_segments({}, -1.0), InvalidInput);
}

const std::vector<CollectiveSegment> kTwo{{Bytes(1000), Bytes(8000)}, {Bytes(16000), Bytes(64000)}};

TEST(SegmentAt, IsTheOneThatHoldsTheSize) {
  EXPECT_EQ(segment_at(Bytes(1000), kTwo)->largest, Bytes(8000));
  EXPECT_EQ(segment_at(Bytes(8000), kTwo)->largest, Bytes(8000));
  EXPECT_EQ(segment_at(Bytes(16000), kTwo)->largest, Bytes(64000));
}

TEST(SegmentAt, RefusesToExtrapolate) {
  EXPECT_EQ(segment_at(Bytes(9000), kTwo).reason(),
            "bimodal: the line breaks between 8 kB and 16 kB, and 9 kB lies between the two");
  EXPECT_EQ(segment_at(Bytes(65000), kTwo).reason(),
            "65 kB is outside of the sizes that were measured, 1 kB to 64 kB");
  EXPECT_FALSE(segment_at(Bytes(999), kTwo));
  EXPECT_FALSE(segment_at(Bytes(1), {}));
}

// A quarter octave is a factor of 1.189: 8000 / 1.189 = 6727, 16000 x 1.189 = 19027.
TEST(NearBreak, IsWithinAQuarterOctave) {
  EXPECT_FALSE(near_break(Bytes(6700), kTwo));
  EXPECT_TRUE(near_break(Bytes(6730), kTwo));
  EXPECT_TRUE(near_break(Bytes(12000), kTwo));
  EXPECT_TRUE(near_break(Bytes(19020), kTwo));
  EXPECT_FALSE(near_break(Bytes(19100), kTwo));
  EXPECT_FALSE(near_break(Bytes(1000), kTwo));
}

// Two sessions, three sizes. ln t is 0, 1, 2 in one and 2, 3, 7 in the other: means 1, 2, 4.5; the
// sessions are 1.5 below and above, which leaves errors of 1/2, 1/2, -1 and their opposites: the
// sum of squares is 3 with (2-1)(3-1) degrees of freedom, so a mean of two has the variance 3/4.
TEST(PooledSweep, KnowsTheNoiseThatSessionsDoNotShare) {
  const auto session = [](double a, double b, double c) {
    return std::vector<SizeTime>{{Bytes(4), Seconds(std::exp(c))},
                                 {Bytes(1), Seconds(std::exp(a))},
                                 {Bytes(2), Seconds(std::exp(b))}};
  };
  const std::vector<std::vector<SizeTime>> sessions{session(0, 1, 2), session(2, 3, 7)};
  const PooledSweep pooled = pool(sessions);
  ASSERT_EQ(pooled.times.size(), 3U);
  EXPECT_EQ(pooled.times[0].wire, Bytes(1));
  EXPECT_NEAR(pooled.times[0].time.value(), std::exp(1.0), 1e-12);
  EXPECT_NEAR(pooled.times[2].time.value(), std::exp(4.5), 1e-10);
  EXPECT_NEAR(pooled.noise, std::sqrt(0.75), 1e-12);
}

TEST(PooledSweep, LeavesOutSessionsThatLackSizesOrHaveATimeBelowItsStamps) {
  const std::vector<SizeTime> whole{{Bytes(1), Seconds(1)}, {Bytes(2), Seconds(2)}};
  const std::vector<SizeTime> half{{Bytes(1), Seconds(9)}};
  const std::vector<SizeTime> negative{{Bytes(1), Seconds(-1)}, {Bytes(2), Seconds(2)}};
  const std::vector<std::vector<SizeTime>> sessions{half, {}, whole, negative};
  const PooledSweep pooled = pool(sessions);
  ASSERT_EQ(pooled.times.size(), 2U);
  EXPECT_NEAR(pooled.times[0].time.value(), 1.0, 1e-12);
  EXPECT_EQ(pooled.noise, 0.0);
  EXPECT_TRUE(pool({}).times.empty());
}

}  // namespace
}  // namespace splitbench

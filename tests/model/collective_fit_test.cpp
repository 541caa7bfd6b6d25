// The local line of a collective.
#include "model/collective_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/model/noise.h"

namespace splitbench {
namespace {

std::vector<SizeTime> sweep(double latency, double bandwidth, std::initializer_list<double> sizes) {
  std::vector<SizeTime> points;
  for (double size : sizes) points.push_back({Bytes(size), Seconds(latency + size / bandwidth)});
  return points;
}

TEST(FitLine, RecoversALineExactly) {
  const CollectiveLine line = fit_line(sweep(30e-6, 10e9, {1e6, 1.5e6, 3e6, 4e6})).value();
  EXPECT_NEAR(line.latency.value(), 30e-6, 1e-17);
  EXPECT_NEAR(line.bandwidth.value(), 10e9, 1e-3);
  EXPECT_LT(line.max_relative_error, 1e-12);
  EXPECT_EQ(line.points, 4U);
  EXPECT_EQ(line.smallest, Bytes(1e6));
  EXPECT_EQ(line.largest, Bytes(4e6));
}

// (1,1), (2,2), (4,5) with weights 1, 1/4, 1/25, in fractions: t = -16/65 + 79/65 x, and the
// largest relative error is 6/65, at the second point.
TEST(FitLine, WeighsRelativeErrors) {
  const std::vector<SizeTime> points{
      {Bytes(1), Seconds(1)}, {Bytes(2), Seconds(2)}, {Bytes(4), Seconds(5)}};
  const CollectiveLine line = fit_line(points).value();
  EXPECT_NEAR(line.latency.value(), -16.0 / 65.0, 1e-12);
  EXPECT_NEAR(line.bandwidth.value(), 65.0 / 79.0, 1e-12);
  EXPECT_NEAR(line.max_relative_error, 6.0 / 65.0, 1e-12);
}

TEST(FitLine, IsRefusedWithAReason) {
  EXPECT_NE(fit_line(sweep(1e-6, 1e9, {1e6, 2e6})).reason().find("3 distinct sizes"),
            std::string::npos);
  EXPECT_NE(fit_line(sweep(1e-6, 1e9, {1e6, 1e6, 2e6, 2e6})).reason().find("there are 2"),
            std::string::npos);
  EXPECT_NE(fit_line(sweep(9e-3, -1e9, {1e6, 2e6, 3e6})).reason().find("no bandwidth"),
            std::string::npos);
  EXPECT_NE(fit_line(sweep(-1e-3, 1e9, {1e6, 2e6, 3e6})).reason().find("not above"),
            std::string::npos);
}

TEST(CollectiveLine, IsNotExtrapolated) {
  const CollectiveLine line = fit_line(sweep(30e-6, 10e9, {1e6, 2e6, 4e6})).value();
  EXPECT_NEAR(line.at(Bytes(1e6)).value().value(), 130e-6, 1e-15);
  EXPECT_NEAR(line.at(Bytes(3e6)).value().value(), 330e-6, 1e-15);
  EXPECT_EQ(line.at(Bytes(0.9e6)).reason(),
            "900 kB is outside of the sizes the line was made from, 1 MB to 4 MB");
  EXPECT_FALSE(line.at(Bytes(4.1e6)));
}

// (1,1), (2,2), (4,5) about -16/65 + 79/65 x, by hand: the relative residuals are -2/65, 6/65 and
// -5/65, so s^2 = 1/65 with one degree of freedom. The weights 1, 1/4, 1/25 sum to 129/100; the
// mean size is 166/129 and the squares about it 65/129. Hence var(1/B) = (1/65)/(65/129),
// covar = -166/129 of that, and var(l) = 264/129 of it, 264/129 being the mean square of a size.
TEST(FitLine, CarriesTheCovarianceOfItsTwoParameters) {
  const std::vector<SizeTime> points{
      {Bytes(1), Seconds(1)}, {Bytes(2), Seconds(2)}, {Bytes(4), Seconds(5)}};
  const CollectiveLine line = fit_line(points).value();
  EXPECT_NEAR(line.relative_sd * line.relative_sd, 1.0 / 65.0, 1e-12);
  EXPECT_NEAR(line.slope_variance, 129.0 / 4225.0, 1e-12);
  EXPECT_NEAR(line.latency_slope_covar, -166.0 / 4225.0, 1e-12);
  EXPECT_NEAR(line.latency_variance, 264.0 / 4225.0, 1e-12);
  // At 2 the line is 142/65 and its variance (264 - 4 x 166 + 4 x 129)/4225 = 116/4225, to which
  // comes that of a time there, (142/65)^2/65. t of one degree of freedom at 95 % is 12.7062.
  const Interval at_2 = line.interval_at(Bytes(2), 0.95).value();
  const double half = 12.7062 * std::sqrt(116.0 / 4225.0 + 142.0 * 142.0 / 4225.0 / 65.0);
  EXPECT_NEAR(at_2.low, 142.0 / 65.0 - half, 1e-4);
  EXPECT_NEAR(at_2.high, 142.0 / 65.0 + half, 1e-4);
  // With a further 50 % that no point shows: 1/65 + 1/4 in place of 1/65 for that time.
  const Interval wider = line.interval_at(Bytes(2), 0.95, 0.5).value();
  const double further = 142.0 * 142.0 / 4225.0 * (1.0 / 65.0 + 0.25);
  EXPECT_NEAR(wider.high - 142.0 / 65.0, 12.7062 * std::sqrt(116.0 / 4225.0 + further), 1e-4);
  EXPECT_EQ(line.interval_at(Bytes(5), 0.95).reason(), line.at(Bytes(5)).reason());
}

// Times with a relative error of 2 % around 20 us + x / 5 GB/s at 7 sizes: one more time at 3 MB
// lies in its 95 % interval in 95 % of 2000 lists; 3 standard errors of that share are 1.5 %.
TEST(FitLine, ItsIntervalHoldsOneMoreTimeAsOftenAsItSays) {
  Random random(11);
  int held = 0;
  constexpr int kLists = 2000;
  for (int list = 0; list < kLists; ++list) {
    auto points = sweep(20e-6, 5e9, {2e6, 2.4e6, 2.8e6, 3.4e6, 4e6, 4.8e6, 5.6e6});
    for (SizeTime& point : points) point.time = (1.0 + 0.02 * normal(random)) * point.time;
    const double further = 620e-6 * (1.0 + 0.02 * normal(random));
    if (fit_line(points)->interval_at(Bytes(3e6), 0.95)->contains(further)) ++held;
  }
  EXPECT_NEAR(static_cast<double>(held) / kLists, 0.95, 0.015);
}

TEST(WithoutSize, LeavesOutTheSizeItself) {
  const auto points = without_size(Bytes(2e6), sweep(0, 1, {1.9e6, 2e6, 2.1e6}));
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].wire, Bytes(1.9e6));
  EXPECT_EQ(points[1].wire, Bytes(2.1e6));
}

TEST(PointsAround, AreWithinAFactorOf2) {
  const auto points = points_around(Bytes(2e6), sweep(0, 1, {0.5e6, 1e6, 1.9e6, 4e6, 8e6}));
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].wire, Bytes(1e6));
  EXPECT_EQ(points[1].wire, Bytes(1.9e6));
  EXPECT_EQ(points[2].wire, Bytes(4e6));
}

}  // namespace
}  // namespace splitbench

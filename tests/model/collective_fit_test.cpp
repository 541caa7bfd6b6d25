// The local line of a collective.
#include "model/collective_fit.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(PointsAround, LeaveOutTheSizeItselfAndWhatIsFarAway) {
  const auto points = points_around(Bytes(2e6), sweep(0, 1, {0.5e6, 1e6, 1.9e6, 2e6, 4e6, 8e6}));
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].wire, Bytes(1e6));
  EXPECT_EQ(points[1].wire, Bytes(1.9e6));
  EXPECT_EQ(points[2].wire, Bytes(4e6));
}

}  // namespace
}  // namespace splitbench

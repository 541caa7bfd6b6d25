// What an operation takes by the datasheet of its device.
#include "model/roofline.h"

#include <gtest/gtest.h>

namespace splitbench {
namespace {

// H100 SXM by its datasheet: 1979/2 TFLOPS of bf16, 3.35 TB/s.
constexpr DeviceRates kH100{.peak = FlopsPerSecond(989.5e12), .memory = BytesPerSecond(3.35e12)};

Operation layer(std::int64_t tokens) {
  return {.tokens = tokens, .d_model = 4096, .d_ff = 8192, .layers = 1, .dtype = DataType::bf16};
}

// One token: each product moves (4096 + 4096 x 8192 + 8192) x 2 = 67 133 440 bytes, which takes
// 20.0398 us, and multiplies for 0.07 us.
TEST(Roofline, OneTokenTakesWhatTheWeightsTakeToRead) {
  EXPECT_NEAR(roofline(layer(1), kH100).value(), 2 * 67133440.0 / 3.35e12, 1e-12);
}

// 16384 tokens: each product is 2 x 16384 x 4096 x 8192 = 1.0995e12 operations, 1111.2 us.
TEST(Roofline, ManyTokensTakeWhatTheProductsTake) {
  EXPECT_NEAR(roofline(layer(16384), kH100).value(), 2 * 1099511627776.0 / 989.5e12, 1e-9);
}

// A roofline of 40.08 us is between 10 and 50 us: 0.32 to 0.79 of it was reached there.
TEST(Roofline, ComputeTimeIsTheRooflineOverTheShareReached) {
  const Interval range = compute_range(layer(1), kH100);
  EXPECT_NEAR(range.low, 40.0797e-6 / 0.79, 1e-9);
  EXPECT_NEAR(range.high, 40.0797e-6 / 0.32, 1e-9);
}

TEST(Roofline, LayersAddUp) {
  Operation ten = layer(1);
  ten.layers = 10;
  EXPECT_DOUBLE_EQ(compute_range(ten, kH100).low, 10.0 * compute_range(layer(1), kH100).low);
  EXPECT_DOUBLE_EQ(serial_range(ten, kH100).high, 10.0 * serial_range(layer(1), kH100).high);
}

// Two products of 2 x 4 take nothing; what is left is two kernels, and those of the smallest shape
// that was measured take 12 to 16 us.
TEST(Roofline, TinyOperationTakesAsLongAsTheSmallestMeasuredOne) {
  const Operation tiny{.tokens = 1, .d_model = 2, .d_ff = 4, .layers = 1, .dtype = DataType::bf16};
  const Interval range = compute_range(tiny, kH100);
  EXPECT_NEAR(range.low, 11.9e-6, 0.1e-6);
  EXPECT_NEAR(range.high, 15.6e-6, 0.1e-6);
}

// 2048 tokens of 4096 in bf16 are 16.78 MB; read three times and written once at 3.35 TB/s: 20.03
// us, and twice that at half the rate; and the start of a kernel.
TEST(Roofline, SerialPartReadsThreeMatricesAndWritesOne) {
  const Interval range = serial_range(layer(2048), kH100);
  EXPECT_NEAR(range.low, 1e-6 + 20.0324e-6 / 0.95, 1e-9);
  EXPECT_NEAR(range.high, 5e-6 + 20.0324e-6 / 0.5, 1e-9);
}

TEST(Roofline, MoreRanksMayLoseMore) {
  const Interval two = efficiency_range(layer(1), kH100, 2);
  const Interval four = efficiency_range(layer(1), kH100, 4);
  EXPECT_EQ(two, (Interval{0.71, 1.01}));
  EXPECT_LT(four.low, two.low);
}

}  // namespace
}  // namespace splitbench

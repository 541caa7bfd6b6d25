// Cast and bias+ReLU against sums in float64 rounded by tests/kernels/number_format.h.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/bias_relu.h"
#include "kernels/cast.h"
#include "tests/kernels/device.h"
#include "tests/kernels/number_format.h"

namespace splitbench::kernels {
namespace {

using Cast = OnDevice;
using BiasRelu = OnDevice;
using Bits = std::vector<std::uint32_t>;

bool is_nan(Element element, std::uint32_t bits) {
  return std::isnan(decode(element, bits));
}

// Equal bits, or both not a number: which NaN is not promised.
void expect_same(Element element, const Bits& got, const Bits& expected, const std::string& what) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (is_nan(element, expected[i])) {
      EXPECT_TRUE(is_nan(element, got[i])) << what << ", element " << i;
    } else {
      EXPECT_EQ(got[i], expected[i]) << what << ", element " << i;
    }
  }
}

// Ties, overflow, subnormals, both zeros and what is no number, among ordinary values.
std::vector<double> telling_values() {
  std::vector<double> values = some_values(3 * 37, 5);
  const double telling[] = {
      1 + 0x1p-11, 1 + 3 * 0x1p-11, 1 + 0x1p-8, 1 + 3 * 0x1p-8, 65504,    65520,     1e30,
      -0x1p-24,    0x1.8p-25,       0.0,        -0.0,           INFINITY, -INFINITY, NAN,
      0x1p-133,    0x1.8p-126,      3.4e38,     0x1.fffp-15,    -1e-40,   2049};
  std::copy(std::begin(telling), std::end(telling), values.begin() + 30);
  return values;
}

TEST_F(Cast, RoundsToNearestTiesToEvenBetweenAllTypesAndLayouts) {
  for (const Element from_type : kElements) {
    for (const Element to_type : kElements) {
      for (const Layout& layout : kLayouts) {
        DeviceMatrix from(from_type, 3, 37, {.padding = 1, .offset = 0});
        from.set(telling_values());
        DeviceMatrix to(to_type, 3, 37, layout);
        check(cast(from.view(), to.view(), nullptr));
        Bits expected;
        for (const double value : from.values()) expected.push_back(encode(to_type, value));
        const std::string what =
            described(from_type, {.padding = 1}) + " to " + described(to_type, layout);
        expect_same(to_type, to.bits(), expected, what);
        EXPECT_TRUE(to.margin_is_whole()) << what;
      }
    }
  }
}

TEST_F(Cast, RefusesAnotherShape) {
  DeviceMatrix from(Element::fp32, 2, 4);
  DeviceMatrix to(Element::fp16, 4, 2);
  EXPECT_EQ(cast(from.view(), to.view(), nullptr), cudaErrorInvalidValue);
}

TEST_F(BiasRelu, ByHandWithNaNThatStays) {
  for (const Element element : kElements) {
    DeviceMatrix values(element, 2, 5);
    values.set({-1, 0.5, NAN, -0.0, 2, 3, -4, 1, 0, INFINITY});
    DeviceMatrix bias(element, 1, 5);
    bias.set({0.5, -1, 1, 0, 0.25});
    check(bias_relu(values.view(), bias.view().data, nullptr));
    const std::vector<double> got = values.values();
    EXPECT_TRUE(std::isnan(got[2]));
    const std::vector<double> expected = {0, 0, 0, 0, 2.25, 3.5, 0, 2, 0, INFINITY};
    for (const std::size_t i : {0, 1, 3, 4, 5, 6, 7, 8, 9}) EXPECT_EQ(got[i], expected[i]) << i;
    EXPECT_FALSE(std::signbit(got[3]));
  }
}

// The sum of two values of these types is exact in float64, so it is rounded once.
TEST_F(BiasRelu, OddSizesInEveryTypeAndLayout) {
  for (const Element element : kElements) {
    for (const Layout& layout : kLayouts) {
      DeviceMatrix values(element, 9, 131, layout);
      values.set(some_values(9 * 131, 1));
      DeviceMatrix bias(element, 1, 131, {.padding = 0, .offset = 1});
      bias.set(some_values(131, 2));
      const std::vector<double> before = values.values();
      const std::vector<double> shift = bias.values();
      Bits expected;
      for (std::size_t i = 0; i < before.size(); ++i)
        expected.push_back(encode(element, std::max(before[i] + shift[i % 131], 0.0)));
      check(bias_relu(values.view(), bias.view().data, nullptr));
      EXPECT_EQ(values.bits(), expected) << described(element, layout);
      EXPECT_TRUE(values.margin_is_whole()) << described(element, layout);
    }
  }
}

TEST_F(BiasRelu, WithoutBiasIsReluAlone) {
  DeviceMatrix values(Element::fp16, 1, 4);
  values.set({-2, 3, -0.5, 0.25});
  check(bias_relu(values.view(), nullptr, nullptr));
  EXPECT_EQ(values.values(), (std::vector<double>{0, 3, 0, 0.25}));
}

}  // namespace
}  // namespace splitbench::kernels

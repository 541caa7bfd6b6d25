// Comparisons by hand, and sums against the host's.
#include "kernels/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/random.h"
#include "tests/kernels/device.h"
#include "tests/kernels/number_format.h"

namespace splitbench::kernels {
namespace {

using Compare = OnDevice;
using CountPoison = OnDevice;
using Checksum = OnDevice;
using Bits = std::vector<std::uint32_t>;

Comparison compared(const DeviceMatrix& y, const std::vector<double>& reference,
                    const std::vector<double>& bound) {
  const Matrix view = y.view();
  const DeviceDoubles right(view.rows, view.columns, reference);
  const DeviceDoubles allowed(view.rows, view.columns, bound);
  const DeviceArray<Comparison> result(1);
  check(compare(view, right.view(), allowed.view(), result.data(), nullptr));
  return result.read()[0];
}

TEST_F(Compare, ByHand) {
  for (const Element element : kElements) {
    DeviceMatrix y(element, 2, 3);
    y.set({1, 2, 3.5, -4, 0, 8});
    // Errors 0, 0.5, 0.5, 0, 0, 0: the third is twice its bound.
    const Comparison got = compared(y, {1, 2.5, 3, -4, 0, 8}, {0, 1, 0.25, 0.5, 0, 2});
    EXPECT_EQ(got.outside, 1U);
    EXPECT_EQ(got.differing, 2U);
    EXPECT_EQ(got.first_outside, 3U);
    EXPECT_EQ(got.worst_ratio, 2.0);
    EXPECT_EQ(got.max_error, 0.5);
    EXPECT_EQ(got.largest_bound, 2.0);
    EXPECT_EQ(got.sum_of_squares, 1 + 6.25 + 9 + 16 + 64);
  }
}

TEST_F(Compare, NaNIsOutsideAndInfinitelyFar) {
  DeviceMatrix y(Element::fp32, 1, 3);
  y.set({1, NAN, 3});
  const Comparison got = compared(y, {1.5, 2, 3}, {1, 1e300, 0});
  EXPECT_EQ(got.outside, 1U);
  EXPECT_EQ(got.first_outside, 2U);
  EXPECT_EQ(got.differing, 2U);
  EXPECT_EQ(got.worst_ratio, std::numeric_limits<double>::infinity());
  EXPECT_EQ(got.max_error, 0.5);
}

TEST_F(Compare, ABoundThatIsNoNumberHoldsNothing) {
  DeviceMatrix y(Element::fp32, 1, 2);
  y.set({1, 2});
  const Comparison got = compared(y, {1, 2}, {NAN, 0});
  EXPECT_EQ(got.outside, 1U);
  EXPECT_EQ(got.first_outside, 1U);
  EXPECT_EQ(got.differing, 0U);
  EXPECT_EQ(got.worst_ratio, std::numeric_limits<double>::infinity());
}

TEST_F(Compare, AddsUpOverMoreThanOneGridInEveryLayout) {
  const std::int64_t rows = 521;
  const std::int64_t columns = 67;
  for (const Layout& layout : kLayouts) {
    DeviceMatrix y(Element::fp32, rows, columns, layout);
    y.set(some_values(rows * columns, 9));
    std::vector<double> reference = y.values();
    std::vector<double> bound(reference.size(), 0.5);
    double squares = 0;
    reference[20000] += 1.0;
    reference[30000] -= 2.0;
    for (const double value : reference) squares += value * value;
    const Comparison got = compared(y, reference, bound);
    EXPECT_EQ(got.outside, 2U);
    EXPECT_EQ(got.differing, 2U);
    EXPECT_EQ(got.first_outside, 20001U);
    EXPECT_NEAR(got.worst_ratio, 4.0, 1e-12);
    EXPECT_NEAR(got.max_error, 2.0, 1e-12);
    // Two orders of summing n squares differ by at most n roundoffs of float64 relative.
    EXPECT_NEAR(got.sum_of_squares, squares,
                squares * static_cast<double>(rows * columns) * 0x1p-52);
  }
}

TEST_F(Compare, RefusesAnotherShape) {
  DeviceMatrix y(Element::fp32, 2, 3);
  const DeviceDoubles right(2, 3, std::vector<double>(6));
  const DeviceDoubles wrong(3, 2, std::vector<double>(6));
  const DeviceArray<Comparison> result(1);
  EXPECT_EQ(compare(y.view(), wrong.view(), right.view(), result.data(), nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(compare(y.view(), right.view(), wrong.view(), result.data(), nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(compare(y.view(), right.view(), right.view(), nullptr, nullptr), cudaErrorInvalidValue);
}

// Only all ones are poison; another NaN is a value, and padding is nobody's.
TEST_F(CountPoison, CountsElementsWhoseBitsAreAllOnes) {
  for (const Element element : kElements) {
    const std::uint32_t poison = element == Element::fp32 ? 0xffffffffU : 0xffffU;
    for (const Layout& layout : kLayouts) {
      DeviceMatrix values(element, 3, 45, layout);
      Bits bits(3 * 45, encode(element, 1.0));
      for (const std::size_t i : {0, 1, 44, 45, 100, 134}) bits[i] = poison;
      bits[7] = encode(element, NAN);
      bits[8] = poison - 1;
      values.set_bits(bits);
      const DeviceArray<unsigned long long> count(1, 1000);
      check(count_poison(values.view(), count.data(), nullptr));
      EXPECT_EQ(count.read()[0], 1006U) << described(element, layout);
    }
  }
}

unsigned long long sum_of(const DeviceMatrix& values) {
  const DeviceArray<unsigned long long> sum(1);
  check(checksum(values.view(), sum.data(), nullptr));
  return sum.read()[0];
}

// The sum of compare.h, by the model's own mix64.
TEST_F(Checksum, IsTheSumThatTheHeaderStatesInEveryLayout) {
  for (const Element element : kElements) {
    for (const Layout& layout : kLayouts) {
      DeviceMatrix values(element, 11, 77, layout);
      values.set(some_values(11 * 77, 6));
      const Bits bits = values.bits();
      unsigned long long expected = 0;
      for (std::size_t i = 0; i < bits.size(); ++i) expected += mix64(bits[i] + mix64(i));
      EXPECT_EQ(sum_of(values), expected) << described(element, layout);
    }
  }
}

TEST_F(Checksum, SeesASwapABitAndTheSignOfZero) {
  DeviceMatrix values(Element::fp32, 4, 50);
  const Bits before(200, encode(Element::fp32, 0.0));
  values.set_bits(before);
  const unsigned long long sum = sum_of(values);

  Bits one = before;
  one[10] = 1;
  Bits elsewhere = before;
  elsewhere[150] = 1;
  Bits sign = before;
  sign[10] = encode(Element::fp32, -0.0);
  values.set_bits(one);
  const unsigned long long sum_with_one = sum_of(values);
  EXPECT_NE(sum_with_one, sum);
  values.set_bits(elsewhere);
  EXPECT_NE(sum_of(values), sum_with_one);
  values.set_bits(sign);
  EXPECT_NE(sum_of(values), sum);
  values.set_bits(before);
  EXPECT_EQ(sum_of(values), sum);
}

}  // namespace
}  // namespace splitbench::kernels

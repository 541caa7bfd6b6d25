// Residual and RMS norm by hand, and against float64 within what fp32 sums may lose.
#include "kernels/serial_part.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/device.h"
#include "tests/kernels/number_format.h"

namespace splitbench::kernels {
namespace {

using SerialPart = OnDevice;

// Unit roundoff: half of the distance from 1 to the next number (number_format.cpp's precisions).
double unit_roundoff(Element element) {
  return element == Element::fp32 ? 0x1p-24 : element == Element::fp16 ? 0x1p-11 : 0x1p-8;
}

// 1 / rms of a row in float64; epsilon 1e-6 as in serial_part.h.
double inverse_rms(const std::vector<double>& x, std::size_t begin, std::size_t columns) {
  double squares = 0;
  for (std::size_t i = begin; i < begin + columns; ++i) squares += x[i] * x[i];
  return 1 / std::sqrt(squares / static_cast<double>(columns) + 1e-6);
}

TEST_F(SerialPart, ByHand) {
  // x + y = [3, 4], rms = sqrt(12.5); the row of zeros stays 0 thanks to epsilon.
  DeviceMatrix y(Element::fp32, 2, 2);
  DeviceMatrix x(Element::fp32, 2, 2);
  DeviceMatrix normalised(Element::fp32, 2, 2);
  y.set({2, 2, 0, 0});
  x.set({1, 2, 0, 0});
  check(serial_part(y.view(), x.view(), normalised.view(), nullptr));
  EXPECT_EQ(x.values(), (std::vector<double>{3, 4, 0, 0}));
  const std::vector<double> got = normalised.values();
  EXPECT_NEAR(got[0], 3 / std::sqrt(12.5), 1e-6);
  EXPECT_NEAR(got[1], 4 / std::sqrt(12.5), 1e-6);
  EXPECT_EQ(got[2], 0);
  EXPECT_EQ(got[3], 0);
}

// x is exact: one rounding of a sum that float64 holds exactly. normalised follows from that x: a
// sum of n squares, its root and quotient in fp32 lose at most n + 4 roundoffs of fp32 relative
// (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, section 3.1), and one of
// the type is added when the result is stored; below fp16's least normal number, its step.
void expect_right(Element element, std::int64_t rows, std::int64_t columns, const Layout& layout) {
  const std::string what = described(element, layout);
  DeviceMatrix y(element, rows, columns, {.padding = 0, .offset = 8});
  DeviceMatrix x(element, rows, columns, layout);
  DeviceMatrix normalised(element, rows, columns, layout);
  y.set(some_values(rows * columns, 3));
  x.set(some_values(rows * columns, 4));
  const std::vector<double> residual = y.values();
  std::vector<double> expected = x.values();
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = decode(element, encode(element, expected[i] + residual[i]));

  check(serial_part(y.view(), x.view(), normalised.view(), nullptr));

  EXPECT_EQ(x.values(), expected) << what;
  const std::vector<double> got = normalised.values();
  const auto width = static_cast<std::size_t>(columns);
  const double bound = static_cast<double>(columns + 4) * 0x1p-24 + unit_roundoff(element);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double right = expected[i] * inverse_rms(expected, i / width * width, width);
    EXPECT_NEAR(got[i], right, bound * std::fabs(right) + 0x1p-24) << what << ", element " << i;
  }
  EXPECT_TRUE(x.margin_is_whole()) << what;
  EXPECT_TRUE(normalised.margin_is_whole()) << what;
}

TEST_F(SerialPart, EveryTypeAndLayout) {
  for (const Element element : kElements)
    for (const Layout& layout : kLayouts) expect_right(element, 5, 259, layout);
}

TEST_F(SerialPart, RowsLongerThanABlockAndMoreThanAGrid) {
  expect_right(Element::fp32, 2, 5003, {});
  expect_right(Element::bf16, 2, 9001, {});
  expect_right(Element::fp32, 4100, 3, {});
}

TEST_F(SerialPart, RefusesDifferentShapesAndTypes) {
  DeviceMatrix x(Element::fp32, 2, 4);
  DeviceMatrix other_shape(Element::fp32, 4, 2);
  DeviceMatrix other_type(Element::bf16, 2, 4);
  EXPECT_EQ(serial_part(other_shape.view(), x.view(), x.view(), nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(serial_part(x.view(), x.view(), other_type.view(), nullptr), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace splitbench::kernels

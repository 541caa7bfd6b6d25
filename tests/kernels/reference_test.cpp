// The float64 operation against plain loops on the host; integers, so that both are exact.
#include "kernels/reference.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/matrix_values.h"
#include "tests/kernels/device.h"

namespace splitbench::kernels {
namespace {

using Reference = OnDevice;
using Values = std::vector<double>;

// Whole numbers from -9 to 9.
Values integers(std::int64_t count, std::uint64_t seed) {
  Values values = some_values(count, seed);
  for (double& value : values) value = std::round(value * 3);
  return values;
}

Values product_of(const Values& left, const Values& right, std::int64_t rows, std::int64_t inner,
                  std::int64_t columns) {
  Values result(static_cast<std::size_t>(rows * columns));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = 0; k < inner; ++k)
      for (std::int64_t j = 0; j < columns; ++j)
        result[i * columns + j] += left[i * inner + k] * right[k * columns + j];
  return result;
}

Values magnitudes(Values values) {
  for (double& value : values) value = std::fabs(value);
  return values;
}

struct Shape {
  std::int64_t rows;
  std::int64_t inner;
  std::int64_t columns;
};

// Smaller than a tile, just beyond one in each direction, and several.
constexpr Shape kShapes[] = {{1, 2, 4}, {65, 17, 3}, {3, 16, 65}, {64, 64, 64}, {130, 33, 70}};

TEST_F(Reference, ProductsOfMatricesInEveryTypeAndLayout) {
  for (const Shape& s : kShapes) {
    const Values left = integers(s.rows * s.inner, 1);
    const Values right = integers(s.inner * s.columns, 2);
    for (const Element element : kElements) {
      for (const Layout& layout : kLayouts) {
        DeviceMatrix a(element, s.rows, s.inner, layout);
        DeviceMatrix b(element, s.inner, s.columns, layout);
        a.set(left);
        b.set(right);
        const DeviceDoubles result(s.rows, s.columns, Values(s.rows * s.columns, NAN));
        check(reference_product(a.view(), b.view(), Factors::as_they_are, result.view(), nullptr));
        EXPECT_EQ(result.values(), product_of(left, right, s.rows, s.inner, s.columns))
            << described(element, layout);
        check(reference_product(a.view(), b.view(), Factors::magnitudes, result.view(), nullptr));
        EXPECT_EQ(result.values(),
                  product_of(magnitudes(left), magnitudes(right), s.rows, s.inner, s.columns))
            << described(element, layout);
      }
    }
  }
}

TEST_F(Reference, ProductsOfDoublesWithAMatrix) {
  for (const Shape& s : kShapes) {
    const Values left = integers(s.rows * s.inner, 3);
    const Values right = integers(s.inner * s.columns, 4);
    const DeviceDoubles a(s.rows, s.inner, left);
    DeviceMatrix b(Element::bf16, s.inner, s.columns, {.padding = 3, .offset = 1});
    b.set(right);
    const DeviceDoubles result(s.rows, s.columns, Values(s.rows * s.columns, NAN));
    check(reference_product(a.view(), b.view(), Factors::as_they_are, result.view(), nullptr));
    EXPECT_EQ(result.values(), product_of(left, right, s.rows, s.inner, s.columns));
  }
}

TEST_F(Reference, AProductOverNothingIsZero) {
  DeviceMatrix a(Element::fp32, 2, 0);
  DeviceMatrix b(Element::fp32, 0, 3);
  const DeviceDoubles result(2, 3, Values(6, NAN));
  check(reference_product(a.view(), b.view(), Factors::as_they_are, result.view(), nullptr));
  EXPECT_EQ(result.values(), Values(6, 0.0));
}

TEST_F(Reference, RefusesFactorsThatDoNotFit) {
  DeviceMatrix a(Element::fp32, 2, 3);
  DeviceMatrix b(Element::fp32, 4, 2);
  const DeviceDoubles result(2, 2, Values(4));
  EXPECT_EQ(reference_product(a.view(), b.view(), Factors::as_they_are, result.view(), nullptr),
            cudaErrorInvalidValue);
}

TEST_F(Reference, ReluKeepsNaN) {
  const DeviceDoubles values(1, 4, {-1, 2, -0.0, NAN});
  check(reference_relu(values.view(), nullptr));
  const Values got = values.values();
  EXPECT_EQ(Values(got.begin(), got.begin() + 3), (Values{0, 2, 0}));
  EXPECT_TRUE(std::isnan(got[3]));
}

}  // namespace
}  // namespace splitbench::kernels

// Seeded values on the device are bit for bit those of model/matrix_values.h, whatever the view.
#include "kernels/fill.h"

#include <gtest/gtest.h>

#include "model/matrix_values.h"
#include "tests/kernels/device.h"
#include "tests/kernels/number_format.h"

namespace splitbench::kernels {
namespace {

using Fill = OnDevice;
using Bits = std::vector<std::uint32_t>;

const MatrixValues kSource(11, 2, MatrixName::a);
constexpr Origin kFar{.row = 70001, .column = (std::int64_t{1} << 31) + 5};

template <typename Value>
Bits expected_bits(Element element, std::int64_t rows, std::int64_t columns, Value value) {
  Bits bits;
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column)
      bits.push_back(encode(element, value(row, column)));
  return bits;
}

TEST_F(Fill, NormalValuesAreTheModelsInEveryTypeAndLayout) {
  constexpr float kScale = 0.03125F * 1.1F;
  for (const Element element : kElements) {
    for (const Layout& layout : kLayouts) {
      DeviceMatrix matrix(element, 7, 301, layout);
      check(fill_normal(matrix.view(), kSource.key(), kFar, kScale, nullptr));
      EXPECT_EQ(matrix.bits(), expected_bits(element, 7, 301,
                                             [&](std::int64_t row, std::int64_t column) {
                                               return kSource.normal(kFar.row + row,
                                                                     kFar.column + column) *
                                                      kScale;
                                             }))
          << described(element, layout);
      EXPECT_TRUE(matrix.margin_is_whole()) << described(element, layout);
    }
  }
}

TEST_F(Fill, IntegersAreTheModelsInEveryTypeAndLayout) {
  for (const Element element : kElements) {
    for (const Layout& layout : kLayouts) {
      DeviceMatrix matrix(element, 7, 301, layout);
      check(fill_integers(matrix.view(), kSource.key(), kFar, 8, nullptr));
      EXPECT_EQ(matrix.bits(), expected_bits(element, 7, 301,
                                             [&](std::int64_t row, std::int64_t column) {
                                               return kSource.small_integer(
                                                   kFar.row + row, kFar.column + column, 8);
                                             }))
          << described(element, layout);
      EXPECT_TRUE(matrix.margin_is_whole()) << described(element, layout);
    }
  }
}

// A's shard is columns of A, B's is rows of B: the same bits as there in the whole.
TEST_F(Fill, AShardHoldsWhatTheWholeHoldsThere) {
  DeviceMatrix whole(Element::bf16, 24, 24);
  check(fill_normal(whole.view(), kSource.key(), {}, 1.0F, nullptr));
  const Bits all = whole.bits();

  DeviceMatrix columns(Element::bf16, 24, 8);
  check(fill_normal(columns.view(), kSource.key(), {.row = 0, .column = 8}, 1.0F, nullptr));
  Bits middle;
  for (std::size_t row = 0; row < 24; ++row)
    middle.insert(middle.end(), all.begin() + row * 24 + 8, all.begin() + row * 24 + 16);
  EXPECT_EQ(columns.bits(), middle);

  DeviceMatrix rows(Element::bf16, 8, 24);
  check(fill_normal(rows.view(), kSource.key(), {.row = 8, .column = 0}, 1.0F, nullptr));
  EXPECT_EQ(rows.bits(), Bits(all.begin() + 8 * 24, all.begin() + 16 * 24));
}

// 20000 rows of 1 column are more than one grid holds, and 17 of 70000 wider than one.
TEST_F(Fill, CoversWhatOneGridDoesNot) {
  for (const auto& [rows, columns] : {std::pair{20000, 1}, std::pair{17, 70000}}) {
    DeviceMatrix matrix(Element::fp32, rows, columns);
    check(fill_integers(matrix.view(), kSource.key(), {}, 8, nullptr));
    EXPECT_EQ(matrix.bits(), expected_bits(Element::fp32, rows, columns,
                                           [](std::int64_t row, std::int64_t column) {
                                             return kSource.small_integer(row, column, 8);
                                           }));
  }
}

TEST_F(Fill, LeavesAnEmptyMatrixAlone) {
  for (const auto& [rows, columns] : {std::pair{0, 5}, std::pair{5, 0}}) {
    DeviceMatrix matrix(Element::fp32, rows, columns);
    EXPECT_EQ(fill_normal(matrix.view(), 1, {}, 1.0F, nullptr), cudaSuccess);
    EXPECT_EQ(
        fill_normal({.rows = rows, .columns = columns, .leading = columns}, 1, {}, 1.0F, nullptr),
        cudaSuccess);
    EXPECT_TRUE(matrix.margin_is_whole());
  }
}

TEST_F(Fill, RefusesWhatIsNoMatrix) {
  DeviceMatrix matrix(Element::fp32, 2, 4);
  Matrix narrow = matrix.view();
  narrow.leading = 3;
  Matrix negative = matrix.view();
  negative.rows = -1;
  Matrix nowhere = matrix.view();
  nowhere.data = nullptr;
  for (const Matrix& wrong : {narrow, negative, nowhere}) {
    EXPECT_EQ(fill_normal(wrong, 1, {}, 1.0F, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(fill_integers(wrong, 1, {}, 8, nullptr), cudaErrorInvalidValue);
  }
  EXPECT_EQ(fill_integers(matrix.view(), 1, {}, 0, nullptr), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace splitbench::kernels

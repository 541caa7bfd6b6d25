// What one layer computes on a CPU core, against the plain reference of model/mlp.h in double.
#include "harness/backends/host/layer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "model/mlp.h"

namespace splitbench::host {
namespace {

constexpr Operation kSmall{.tokens = 3, .d_model = 5, .d_ff = 8, .layers = 2};

Matrix<double> matrix(std::int64_t rows, std::int64_t columns, const std::vector<float>& values) {
  return {static_cast<std::size_t>(rows),
          static_cast<std::size_t>(columns),
          {values.begin(), values.end()}};
}

TEST(Weights, AShardHoldsExactlyTheColumnsAndRowsOfTheWhole) {
  const LayerWeights full = make_weights(kSmall, 7, 1, Values::random);
  const Matrix<double> a = matrix(5, 8, full.a);
  const Matrix<double> b = matrix(8, 5, full.b);
  for (const std::int64_t ranks : {2, 4, 8}) {
    const std::int64_t width = 8 / ranks;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      const LayerWeights shard = shard_of(kSmall, full, rank * width, width);
      const auto first = static_cast<std::size_t>(rank * width);
      EXPECT_EQ(matrix(5, width, shard.a), column_shard(a, first, static_cast<std::size_t>(width)));
      EXPECT_EQ(matrix(width, 5, shard.b), row_shard(b, first, static_cast<std::size_t>(width)));
    }
  }
}

TEST(Weights, AreTheValuesOfTheirPlaces) {
  const LayerWeights whole = make_weights(kSmall, 7, 1, Values::integers);
  const MatrixValues a(7, 1, MatrixName::a);
  const MatrixValues b(7, 1, MatrixName::b);
  for (std::int64_t row = 0; row < 5; ++row) {
    for (std::int64_t column = 0; column < 8; ++column) {
      EXPECT_EQ(whole.a[static_cast<std::size_t>(row * 8 + column)],
                a.small_integer(row, column, 8));
      EXPECT_EQ(whole.b[static_cast<std::size_t>(column * 5 + row)],
                b.small_integer(column, row, 8));
    }
  }
}

TEST(Weights, DependOnSeedAndLayer) {
  const LayerWeights one = make_weights(kSmall, 7, 0, Values::random);
  EXPECT_EQ(one.a, make_weights(kSmall, 7, 0, Values::random).a);
  EXPECT_NE(one.a, make_weights(kSmall, 7, 1, Values::random).a);
  EXPECT_NE(one.a, make_weights(kSmall, 8, 0, Values::random).a);
}

TEST(Weights, AreAboutNormalWithTheStatedScale) {
  const Operation op{.tokens = 1, .d_model = 256, .d_ff = 1024};
  const LayerWeights w = make_weights(op, 1, 0, Values::random);
  double sum = 0;
  double squares = 0;
  for (const float value : w.a) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  const auto n = static_cast<double>(w.a.size());
  // Mean 0, variance 1/256: standard errors 1/16/sqrt(n) and, for four uniforms (excess kurtosis
  // -0.3), sqrt(1.7/n)/256. Five of them.
  EXPECT_NEAR(sum / n, 0.0, 5.0 / 16 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1.0 / 256, 5 * std::sqrt(1.7 / n) / 256);
}

TEST(Mlp, IntegersAreExact) {
  const LayerWeights full = make_weights(kSmall, 3, 0, Values::integers);
  const std::vector<float> x = make_input(kSmall, 3, 0, Values::integers);
  std::vector<float> hidden(24);
  std::vector<float> y(15, NAN);
  mlp(kSmall, x, full, hidden, y);
  EXPECT_EQ(matrix(3, 5, y),
            splitbench::mlp(matrix(3, 5, x), matrix(5, 8, full.a), matrix(8, 5, full.b)));
}

TEST(Mlp, ReluLeftOutGivesAnotherResult) {
  const LayerWeights full = make_weights(kSmall, 3, 0, Values::random);
  const std::vector<float> x = make_input(kSmall, 3, 0, Values::random);
  std::vector<float> hidden(24);
  std::vector<float> right(15);
  std::vector<float> wrong(15);
  mlp(kSmall, x, full, hidden, right);
  mlp(kSmall, x, full, hidden, wrong, Relu::misplaced);
  apply_relu(wrong);
  EXPECT_NE(right, wrong);
}

TEST(SerialPart, ResidualThenRmsNormByHand) {
  // x + y = [3, 4], rms = sqrt(12.5); second row [0, 0] stays 0 thanks to epsilon.
  const Operation op{.tokens = 2, .d_model = 2, .d_ff = 2};
  std::vector<float> x{1, 2, 0, 0};
  const std::vector<float> y{2, 2, 0, 0};
  std::vector<float> normalised(4);
  serial_part(op, y, x, normalised);
  EXPECT_EQ(x, (std::vector<float>{3, 4, 0, 0}));
  EXPECT_NEAR(normalised[0], 3 / std::sqrt(12.5), 1e-6);
  EXPECT_NEAR(normalised[1], 4 / std::sqrt(12.5), 1e-6);
  EXPECT_EQ(normalised[2], 0.0F);
}

}  // namespace
}  // namespace splitbench::host

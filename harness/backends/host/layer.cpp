#include "harness/backends/host/layer.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>

namespace splitbench::host {
namespace {

constexpr float kEpsilon = 1e-6F;
constexpr std::uint32_t kSparsity = 8;  // of the integers: one in eight is not 0

int as_int(std::int64_t value) {
  return static_cast<int>(value);
}

void product(std::int64_t rows, std::int64_t columns, std::int64_t inner, const float* left,
             const float* right, float* result) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, as_int(rows), as_int(columns),
              as_int(inner), 1.0F, left, as_int(inner), right, as_int(columns), 0.0F, result,
              as_int(columns));
}

// rows x columns of a matrix, whose first element is global (first_row, first_column).
std::vector<float> fill(const MatrixValues& source, Values values, float scale, std::int64_t rows,
                        std::int64_t columns, std::int64_t first_row, std::int64_t first_column,
                        Heartbeat heartbeat) {
  std::vector<float> matrix(static_cast<std::size_t>(rows * columns));
  auto next = matrix.begin();
  for (std::int64_t row = first_row; row < first_row + rows; ++row) {
    for (std::int64_t column = first_column; column < first_column + columns; ++column) {
      *next++ = values == Values::random ? source.normal(row, column) * scale
                                         : source.small_integer(row, column, kSparsity);
    }
    heartbeat.beat();
  }
  return matrix;
}

float inverse_root(std::int64_t n) {
  return static_cast<float>(1.0 / std::sqrt(n));
}

}  // namespace

LayerWeights make_weights(const Operation& op, std::uint64_t seed, std::int64_t layer,
                          std::int64_t first, std::int64_t width, Values values,
                          Heartbeat heartbeat) {
  return {.width = width,
          .a = fill(MatrixValues(seed, layer, MatrixName::a), values, inverse_root(op.d_model),
                    op.d_model, width, 0, first, heartbeat),
          .b = fill(MatrixValues(seed, layer, MatrixName::b), values, inverse_root(op.d_ff), width,
                    op.d_model, first, 0, heartbeat)};
}

std::vector<float> make_input(const Operation& op, std::uint64_t seed, std::int64_t layer,
                              Values values) {
  return fill(MatrixValues(seed, layer, MatrixName::x), values, 1.0F, op.tokens, op.d_model, 0, 0,
              {});
}

void apply_relu(std::span<float> values) {
  for (float& value : values) value = std::max(value, 0.0F);
}

void mlp(const Operation& op, std::span<const float> x, const LayerWeights& weights,
         std::span<float> hidden, std::span<float> output, Relu relu) {
  product(op.tokens, weights.width, op.d_model, x.data(), weights.a.data(), hidden.data());
  if (relu == Relu::in_place) {
    apply_relu(hidden.first(static_cast<std::size_t>(op.tokens * weights.width)));
  }
  product(op.tokens, op.d_model, weights.width, hidden.data(), weights.b.data(), output.data());
}

void serial_part(const Operation& op, std::span<const float> y, std::span<float> x,
                 std::span<float> normalised) {
  const auto width = static_cast<std::size_t>(op.d_model);
  for (std::size_t begin = 0; begin < x.size(); begin += width) {
    float sum_of_squares = 0.0F;
    for (std::size_t i = begin; i < begin + width; ++i) {
      x[i] += y[i];
      sum_of_squares += x[i] * x[i];
    }
    const float scale = 1.0F / std::sqrt(sum_of_squares / static_cast<float>(width) + kEpsilon);
    for (std::size_t i = begin; i < begin + width; ++i) normalised[i] = x[i] * scale;
  }
}

}  // namespace splitbench::host

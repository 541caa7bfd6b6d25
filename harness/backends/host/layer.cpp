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

std::vector<float> fill(const MatrixValues& source, Values values, float scale, std::int64_t rows,
                        std::int64_t columns, Heartbeat heartbeat) {
  std::vector<float> matrix(static_cast<std::size_t>(rows * columns));
  auto next = matrix.begin();
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
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
                          Values values, Heartbeat heartbeat) {
  return {.width = op.d_ff,
          .a = fill(MatrixValues(seed, layer, MatrixName::a), values, inverse_root(op.d_model),
                    op.d_model, op.d_ff, heartbeat),
          .b = fill(MatrixValues(seed, layer, MatrixName::b), values, inverse_root(op.d_ff),
                    op.d_ff, op.d_model, heartbeat)};
}

LayerWeights shard_of(const Operation& op, const LayerWeights& whole, std::int64_t first,
                      std::int64_t width) {
  LayerWeights shard{.width = width, .a = {}, .b = {}};
  shard.a.reserve(static_cast<std::size_t>(op.d_model * width));
  for (std::int64_t row = 0; row < op.d_model; ++row) {
    const auto begin = whole.a.begin() + row * whole.width + first;
    shard.a.insert(shard.a.end(), begin, begin + width);
  }
  const auto begin = whole.b.begin() + first * op.d_model;
  shard.b.assign(begin, begin + width * op.d_model);
  return shard;
}

Weights rank_weights(const Operation& op, std::uint64_t seed, int rank, int ranks,
                     Heartbeat heartbeat) {
  const std::int64_t width = op.d_ff / ranks;
  const auto shard = [&](const LayerWeights& whole) {
    return shard_of(op, whole, rank * width, width);
  };
  Weights weights;
  for (std::int64_t layer = 0; layer < op.layers; ++layer) {
    weights.full.push_back(make_weights(op, seed, layer, Values::random, heartbeat));
    weights.shard.push_back(shard(weights.full.back()));
  }
  weights.full_integers = make_weights(op, seed, 0, Values::integers, heartbeat);
  weights.shard_integers = shard(weights.full_integers);
  return weights;
}

std::vector<float> make_input(const Operation& op, std::uint64_t seed, std::int64_t layer,
                              Values values) {
  return fill(MatrixValues(seed, layer, MatrixName::x), values, 1.0F, op.tokens, op.d_model, {});
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

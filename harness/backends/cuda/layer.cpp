#include "harness/backends/cuda/layer.h"

#include <cmath>

#include "kernels/fill.h"
#include "model/matrix_values.h"

namespace splitbench::cuda {
namespace {

void fill(const kernels::Matrix& matrix, const MatrixValues& of, kernels::Origin origin,
          double scale, Values values, cudaStream_t stream) {
  if (values.are_integers()) {
    check(kernels::fill_integers(matrix, of.key(), origin, values.sparsity(), stream),
          "kernels::fill_integers");
  } else {
    check(kernels::fill_normal(matrix, of.key(), origin, static_cast<float>(scale), stream),
          "kernels::fill_normal");
  }
}

}  // namespace

void fill_weights(const LayerWeights& weights, const Operation& operation, std::uint64_t seed,
                  std::int64_t layer, std::int64_t first, Values values, cudaStream_t stream) {
  fill(weights.a.view(), {seed, layer, MatrixName::a}, {.row = 0, .column = first},
       1.0 / std::sqrt(static_cast<double>(operation.d_model)), values, stream);
  fill(weights.b.view(), {seed, layer, MatrixName::b}, {.row = first, .column = 0},
       1.0 / std::sqrt(static_cast<double>(operation.d_ff)), values, stream);
}

LayerWeights make_weights(const Operation& operation, std::uint64_t seed, std::int64_t layer,
                          std::int64_t first, std::int64_t width, Values values,
                          cudaStream_t stream) {
  LayerWeights weights{.width = width,
                       .a = DeviceMatrix(operation.dtype, operation.d_model, width),
                       .b = DeviceMatrix(operation.dtype, width, operation.d_model)};
  fill_weights(weights, operation, seed, layer, first, values, stream);
  return weights;
}

DeviceMatrix make_input(const Operation& operation, std::uint64_t seed, std::int64_t layer,
                        Values values, cudaStream_t stream) {
  DeviceMatrix x(operation.dtype, operation.tokens, operation.d_model);
  fill(x.view(), {seed, layer, MatrixName::x}, {}, 1.0, values, stream);
  return x;
}

void Mlp::run(const void* x, const LayerWeights& weights, void* hidden, void* output,
              cudaStream_t stream) const {
  up.run({.left = x, .right = weights.a.data(), .result = hidden}, stream);
  down.run({.left = hidden, .right = weights.b.data(), .result = output}, stream);
}

Product up_product(const Operation& operation, std::int64_t width) {
  return {.dtype = operation.dtype,
          .rows = operation.tokens,
          .inner = operation.d_model,
          .columns = width,
          .relu = true};
}

Product down_product(const Operation& operation, std::int64_t width) {
  return {.dtype = operation.dtype,
          .rows = operation.tokens,
          .inner = width,
          .columns = operation.d_model,
          .relu = false};
}

}  // namespace splitbench::cuda

// What one layer of the operation does on a GPU: values made where they are used, two products, and
// the parts that are ours. Everything is queued on the stream that is given.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "harness/backends/cuda/matmul.h"
#include "harness/backends/cuda/runtime.h"
#include "model/operation.h"

namespace splitbench::cuda {

// A and B of one layer, or a shard of them: columns (of A) and rows (of B) [first, first + width),
// copied together, so that a leading dimension is the row's length.
struct LayerWeights {
  std::int64_t width = 0;  // d_ff, or d_ff / N
  DeviceMatrix a;          // d_model x width
  DeviceMatrix b;          // width x d_model
};

// How weights and inputs are made; the same values as on any other backend.
class Values {
 public:
  // About normal; A scaled by 1/sqrt(d_model), B by 1/sqrt(d_ff).
  static const Values random;
  // -1, 0 and 1; one in `sparsity` is not 0.
  static constexpr Values integers(std::uint32_t sparsity) { return Values(sparsity); }

  constexpr bool are_integers() const { return sparsity_ > 0; }
  constexpr std::uint32_t sparsity() const { return sparsity_; }

 private:
  constexpr explicit Values(std::uint32_t sparsity) : sparsity_(sparsity) {}

  std::uint32_t sparsity_;
};
inline constexpr Values Values::random{0};

LayerWeights make_weights(const Operation& operation, std::uint64_t seed, std::int64_t layer,
                          std::int64_t first, std::int64_t width, Values values,
                          cudaStream_t stream);

// Fills what has been allocated, as make_weights() does.
void fill_weights(const LayerWeights& weights, const Operation& operation, std::uint64_t seed,
                  std::int64_t layer, std::int64_t first, Values values, cudaStream_t stream);

// x of one layer, tokens x d_model.
DeviceMatrix make_input(const Operation& operation, std::uint64_t seed, std::int64_t layer,
                        Values values, cudaStream_t stream);

// Both products of a layer at one width of its weights.
struct Mlp {
  Matmul up;    // hidden = ReLU(x A), tokens x width
  Matmul down;  // output = hidden B, tokens x d_model

  void run(const void* x, const LayerWeights& weights, void* hidden, void* output,
           cudaStream_t stream) const;
};

// The products that Mlp is made of, for weights of this width.
Product up_product(const Operation& operation, std::int64_t width);
Product down_product(const Operation& operation, std::int64_t width);

}  // namespace splitbench::cuda

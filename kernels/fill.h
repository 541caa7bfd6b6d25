// Seeded values, as pure functions of a key and the global row and column, so that a shard holds
// exactly what the whole matrix holds there.
//
// bits(key, row, column) = mix64(key + mix64((row << 32) ^ column)), with SplitMix64's finaliser
// (Steele, Lea, Flood, OOPSLA 2014).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/matrix.h"

namespace splitbench::kernels {

// Where the view's element (0, 0) stands in the whole matrix.
struct Origin {
  std::int64_t row = 0;
  std::int64_t column = 0;
};

// About normal: (sum of the four 16-bit parts of the bits - 131070) * 2.6428998e-05f * scale, in
// fp32, rounded to the element type (to nearest, ties to even).
cudaError_t fill_normal(const Matrix& matrix, std::uint64_t key, Origin origin, float scale,
                        cudaStream_t stream);

// -1, 0 or 1: 0 unless (bits >> 32) % sparsity == 0; then 1 where bit 0 is set, else -1.
cudaError_t fill_integers(const Matrix& matrix, std::uint64_t key, Origin origin,
                          std::uint32_t sparsity, cudaStream_t stream);

}  // namespace splitbench::kernels

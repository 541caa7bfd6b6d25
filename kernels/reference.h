// The operation in float64, without any library: what results are checked against. Plain products,
// written to be right rather than fast.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/matrix.h"

namespace splitbench::kernels {

// A row-major float64 matrix without padding, in device memory.
struct Doubles {
  double* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

// How the factors enter a product.
enum class Factors { as_they_are, magnitudes };  // magnitudes: |left| |right|

// result = left right, left rows x inner, right inner x columns.
cudaError_t reference_product(const Matrix& left, const Matrix& right, Factors factors,
                              const Doubles& result, cudaStream_t stream);
cudaError_t reference_product(const Doubles& left, const Matrix& right, Factors factors,
                              const Doubles& result, cudaStream_t stream);

// values = max(values, 0) in place.
cudaError_t reference_relu(const Doubles& values, cudaStream_t stream);

}  // namespace splitbench::kernels

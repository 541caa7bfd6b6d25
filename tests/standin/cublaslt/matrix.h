// A view of a matrix as a cuBLASLt layout describes it. Owns nothing.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

#include <cstddef>
#include <cstdint>

namespace splitbench::standin {

struct MatrixView {
  const void* data = nullptr;
  cudaDataType_t type = CUDA_R_32F;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t leading = 0;  // elements from one column to the next; of one row where row_major
  bool row_major = false;

  std::int64_t index(std::int64_t row, std::int64_t column) const {
    return row_major ? row * leading + column : column * leading + row;
  }
};

// Bytes of one element; 0 for a type that the stand-in does not multiply.
constexpr std::size_t element_bytes(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
      return 4;
    case CUDA_R_64F:
      return 8;
    default:
      return 0;
  }
}

template <class Real>
Real load(const void* data, cudaDataType_t type, std::int64_t index) {
  switch (type) {
    case CUDA_R_16F:
      return static_cast<Real>(__half2float(static_cast<const __half*>(data)[index]));
    case CUDA_R_16BF:
      return static_cast<Real>(__bfloat162float(static_cast<const __nv_bfloat16*>(data)[index]));
    case CUDA_R_64F:
      return static_cast<Real>(static_cast<const double*>(data)[index]);
    default:
      return static_cast<Real>(static_cast<const float*>(data)[index]);
  }
}

// Rounds to nearest, ties to even.
template <class Real>
void store(void* data, cudaDataType_t type, std::int64_t index, Real value) {
  switch (type) {
    case CUDA_R_16F:
      static_cast<__half*>(data)[index] = __float2half_rn(static_cast<float>(value));
      break;
    case CUDA_R_16BF:
      static_cast<__nv_bfloat16*>(data)[index] = __float2bfloat16_rn(static_cast<float>(value));
      break;
    case CUDA_R_64F:
      static_cast<double*>(data)[index] = static_cast<double>(value);
      break;
    default:
      static_cast<float*>(data)[index] = static_cast<float>(value);
  }
}

}  // namespace splitbench::standin

// Elements as numbers and as bits, for the three types that matrices are stored in.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

namespace splitbench::kernels {

__device__ inline float to_float(float value) {
  return value;
}
__device__ inline float to_float(__half value) {
  return __half2float(value);
}
__device__ inline float to_float(__nv_bfloat16 value) {
  return __bfloat162float(value);
}

// To nearest, ties to even.
template <typename T>
__device__ T from_float(float value);
template <>
__device__ inline float from_float<float>(float value) {
  return value;
}
template <>
__device__ inline __half from_float<__half>(float value) {
  return __float2half_rn(value);
}
template <>
__device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16_rn(value);
}

// max(value, 0), where NaN stays NaN and -0 becomes 0.
template <typename Real>
__device__ Real relu(Real value) {
  return value <= 0 ? Real(0) : value;
}

// The element's bits, in the low end.
template <typename T>
__device__ std::uint32_t bits_of(T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 2, "fp32, fp16 or bf16");
  if constexpr (sizeof(T) == 4) {
    std::uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
  } else {
    std::uint16_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
  }
}

}  // namespace splitbench::kernels

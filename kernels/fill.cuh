// Bodies of fill.h.
#pragma once

#include "kernels/fill.h"
#include "kernels/mix.cuh"
#include "kernels/unit.cuh"

namespace splitbench::kernels {

// 1 / sd of the sum of four uniform numbers on 0..65535, each of variance (65536^2 - 1) / 12.
inline constexpr float kNormalScale = 2.6428998e-05F;

__device__ inline std::uint64_t bits_at(std::uint64_t key, std::int64_t row, std::int64_t column) {
  return mix64(key +
               mix64((static_cast<std::uint64_t>(row) << 32) ^ static_cast<std::uint64_t>(column)));
}

__device__ inline float normal_of(std::uint64_t bits) {
  const auto sum = static_cast<std::int32_t>((bits & 0xffff) + (bits >> 16 & 0xffff) +
                                             (bits >> 32 & 0xffff) + (bits >> 48));
  return static_cast<float>(sum - 131070) * kNormalScale;
}

__device__ inline float integer_of(std::uint64_t bits, std::uint32_t sparsity) {
  if ((bits >> 32) % sparsity != 0) return 0.0F;
  return (bits & 1) != 0 ? 1.0F : -1.0F;
}

// Every element of the matrix = value_of(bits), rounded to T.
template <typename T, typename ValueOf>
__device__ void fill_elements(const Matrix& matrix, std::uint64_t key, Origin origin,
                              ValueOf value_of) {
  constexpr int kWide = kWidest<T>;
  for_each_unit<kWide>(
      matrix.rows, matrix.columns, [&](std::int64_t row, std::int64_t column, int count) {
        Unit<T, kWide> unit;
        for (int i = 0; i < kWide; ++i)
          unit.values[i] =
              from_float<T>(value_of(bits_at(key, origin.row + row, origin.column + column + i)));
        store<T, kWide>(at<T>(matrix, row, column), count, unit);
      });
}

template <typename T>
__global__ void __launch_bounds__(kThreadsOfBlock)
    fill_normal_kernel(Matrix matrix, std::uint64_t key, Origin origin, float scale) {
  fill_elements<T>(matrix, key, origin,
                   [&](std::uint64_t bits) { return normal_of(bits) * scale; });
}

template <typename T>
__global__ void __launch_bounds__(kThreadsOfBlock)
    fill_integers_kernel(Matrix matrix, std::uint64_t key, Origin origin, std::uint32_t sparsity) {
  fill_elements<T>(matrix, key, origin,
                   [&](std::uint64_t bits) { return integer_of(bits, sparsity); });
}

}  // namespace splitbench::kernels

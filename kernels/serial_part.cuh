// Body of serial_part.h: one block works on one row at a time.
#pragma once

#include <math.h>

#include "kernels/reduce.cuh"
#include "kernels/serial_part.h"
#include "kernels/unit.cuh"

namespace splitbench::kernels {

inline constexpr float kRmsEpsilon = 1e-6F;
inline constexpr int kMostWarpsOfRow = 16;  // blockDim.x is a multiple of 32, at most 32 times this

// Over the block; every thread gets the sum.
__device__ inline float sum_over_row(float value) {
  __shared__ float of_warp[kMostWarpsOfRow];
  const float sum = sum_over_warp(value);
  __syncthreads();  // the sum of the row before has been read
  if (is_first_of_warp()) of_warp[threadIdx.x / kWarp] = sum;
  __syncthreads();
  float total = 0.0F;
  for (unsigned warp = 0; warp < blockDim.x / kWarp; ++warp) total += of_warp[warp];
  return total;
}

// body(column, count) for every unit of this thread in a row.
template <int N, typename Body>
__device__ void for_each_unit_of_row(std::int64_t columns, Body body) {
  for (std::int64_t column = static_cast<std::int64_t>(threadIdx.x) * N; column < columns;
       column += static_cast<std::int64_t>(blockDim.x) * N) {
    const std::int64_t left = columns - column;
    body(column, left < N ? static_cast<int>(left) : N);
  }
}

// x += y in one row; the sum of the squares of this thread's new x.
template <typename T>
__device__ float add_residual(const Matrix& y, const Matrix& x, std::int64_t row) {
  constexpr int kWide = kWidest<T>;
  float squares = 0.0F;
  for_each_unit_of_row<kWide>(x.columns, [&](std::int64_t column, int count) {
    T* const place = at<T>(x, row, column);
    Unit<T, kWide> unit = load<T, kWide>(place, count);
    const auto residual = load<T, kWide>(at<T>(y, row, column), count);
    for (int i = 0; i < kWide; ++i) {
      unit.values[i] = from_float<T>(to_float(unit.values[i]) + to_float(residual.values[i]));
      squares += to_float(unit.values[i]) * to_float(unit.values[i]);
    }
    store<T, kWide>(place, count, unit);
  });
  return squares;
}

// normalised = x * scale in one row; each thread reads what it wrote itself.
template <typename T>
__device__ void scale_row(const Matrix& x, const Matrix& normalised, std::int64_t row,
                          float scale) {
  constexpr int kWide = kWidest<T>;
  for_each_unit_of_row<kWide>(x.columns, [&](std::int64_t column, int count) {
    Unit<T, kWide> unit = load<T, kWide>(at<T>(x, row, column), count);
    for (int i = 0; i < kWide; ++i)
      unit.values[i] = from_float<T>(to_float(unit.values[i]) * scale);
    store<T, kWide>(at<T>(normalised, row, column), count, unit);
  });
}

template <typename T>
__global__ void __launch_bounds__(kMostWarpsOfRow* kWarp)
    serial_part_kernel(Matrix y, Matrix x, Matrix normalised) {
  for (std::int64_t row = blockIdx.x; row < x.rows; row += gridDim.x) {
    const float squares = sum_over_row(add_residual<T>(y, x, row));
    scale_row<T>(x, normalised, row,
                 1.0F / sqrtf(squares / static_cast<float>(x.columns) + kRmsEpsilon));
  }
}

}  // namespace splitbench::kernels

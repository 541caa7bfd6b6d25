// Bodies of reference.h.
#pragma once

#include <math.h>

#include "kernels/reference.h"
#include "kernels/unit.cuh"

namespace splitbench::kernels {

// A block of 16 x 16 threads makes a tile of 64 x 64 results, each thread 4 x 4 of them, from slabs
// of the factors that are 16 deep.
inline constexpr int kTileThreads = 16;
inline constexpr int kTileEach = 4;
inline constexpr int kTile = kTileThreads * kTileEach;
inline constexpr int kSlab = 16;

__device__ inline double as_double(const Matrix& matrix, std::int64_t row, std::int64_t column) {
  switch (matrix.element) {
    case Element::fp16:
      return to_float(*at<__half>(matrix, row, column));
    case Element::bf16:
      return to_float(*at<__nv_bfloat16>(matrix, row, column));
    default:
      return *at<float>(matrix, row, column);
  }
}

__device__ inline double as_double(const Doubles& matrix, std::int64_t row, std::int64_t column) {
  return matrix.data[row * matrix.columns + column];
}

// A factor's element as it enters the product; 0 outside of the matrix.
template <typename Factor>
__device__ double term(const Factor& factor, std::int64_t row, std::int64_t column,
                       Factors factors) {
  if (row >= factor.rows || column >= factor.columns) return 0.0;
  const double value = as_double(factor, row, column);
  return factors == Factors::magnitudes ? fabs(value) : value;
}

// slab[r][c] = element (first_row + r, first_column + c), by all threads of the block.
template <int kRows, int kColumns, typename Factor>
__device__ void load_slab(double (&slab)[kRows][kColumns], const Factor& factor,
                          std::int64_t first_row, std::int64_t first_column, Factors factors) {
  const int thread = static_cast<int>(threadIdx.y * kTileThreads + threadIdx.x);
  for (int i = thread; i < kRows * kColumns; i += kTileThreads * kTileThreads) {
    const int row = i / kColumns;
    const int column = i % kColumns;
    slab[row][column] = term(factor, first_row + row, first_column + column, factors);
  }
}

// The tile of left right whose first element is (first_row, first_column), this thread's part.
template <typename Left>
__device__ void multiply_tile(const Left& left, const Matrix& right, Factors factors,
                              std::int64_t first_row, std::int64_t first_column,
                              double (&sums)[kTileEach][kTileEach]) {
  __shared__ double left_slab[kTile][kSlab];
  __shared__ double right_slab[kSlab][kTile];
  for (std::int64_t depth = 0; depth < left.columns; depth += kSlab) {
    load_slab(left_slab, left, first_row, depth, factors);
    load_slab(right_slab, right, depth, first_column, factors);
    __syncthreads();
    for (int k = 0; k < kSlab; ++k)
      for (int i = 0; i < kTileEach; ++i)
        for (int j = 0; j < kTileEach; ++j)
          sums[i][j] += left_slab[threadIdx.y + i * kTileThreads][k] *
                        right_slab[k][threadIdx.x + j * kTileThreads];
    __syncthreads();
  }
}

template <typename Left>
__global__ void __launch_bounds__(kTileThreads* kTileThreads)
    reference_product_kernel(Left left, Matrix right, Factors factors, Doubles result) {
  const std::int64_t row_step = static_cast<std::int64_t>(gridDim.y) * kTile;
  const std::int64_t column_step = static_cast<std::int64_t>(gridDim.x) * kTile;
  for (std::int64_t first_row = blockIdx.y * kTile; first_row < result.rows; first_row += row_step)
    for (std::int64_t first_column = blockIdx.x * kTile; first_column < result.columns;
         first_column += column_step) {
      double sums[kTileEach][kTileEach] = {};
      multiply_tile(left, right, factors, first_row, first_column, sums);
      for (int i = 0; i < kTileEach; ++i)
        for (int j = 0; j < kTileEach; ++j) {
          const std::int64_t row = first_row + threadIdx.y + i * kTileThreads;
          const std::int64_t column = first_column + threadIdx.x + j * kTileThreads;
          if (row < result.rows && column < result.columns)
            result.data[row * result.columns + column] = sums[i][j];
        }
    }
}

__global__ void reference_relu_kernel(Doubles values) {
  for_each_index(values.rows * values.columns,
                 [&](std::int64_t index) { values.data[index] = relu(values.data[index]); });
}

}  // namespace splitbench::kernels

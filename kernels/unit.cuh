// A row of a matrix is worked on in units of neighbouring elements, moved by one access where they
// are all there and aligned, else one by one: so any size, alignment and leading dimension will do.
#pragma once

#include <cstdint>

#include "kernels/element.cuh"
#include "kernels/matrix.h"

namespace splitbench::kernels {

template <typename T, int N>
struct alignas(sizeof(T) * N) Unit {
  T values[N];
};

// Elements of the widest access, 16 bytes.
template <typename T>
inline constexpr int kWidest = 16 / static_cast<int>(sizeof(T));

// The block of the kernels that use for_each_unit: 64 units of 4 rows.
inline constexpr int kUnitsOfBlock = 64;
inline constexpr int kRowsOfBlock = 4;
inline constexpr int kThreadsOfBlock = kUnitsOfBlock * kRowsOfBlock;

template <typename T>
__device__ T* at(const Matrix& matrix, std::int64_t row, std::int64_t column) {
  return static_cast<T*>(matrix.data) + row * matrix.leading + column;
}

template <typename T, int N>
__device__ bool in_one_access(const T* address, int count) {
  return count == N && reinterpret_cast<std::uintptr_t>(address) % sizeof(Unit<T, N>) == 0;
}

// The first `count` elements at `from`, then zeros.
template <typename T, int N>
__device__ Unit<T, N> load(const T* from, int count) {
  if (in_one_access<T, N>(from, count)) return *reinterpret_cast<const Unit<T, N>*>(from);
  Unit<T, N> unit;
  for (int i = 0; i < N; ++i) unit.values[i] = i < count ? from[i] : from_float<T>(0.0F);
  return unit;
}

template <typename T, int N>
__device__ void store(T* to, int count, const Unit<T, N>& unit) {
  if (in_one_access<T, N>(to, count)) {
    *reinterpret_cast<Unit<T, N>*>(to) = unit;
    return;
  }
  for (int i = 0; i < N; ++i)
    if (i < count) to[i] = unit.values[i];
}

// body(row, column, count) for every unit of this thread: columns [column, column + count), with
// 1 <= count <= N.
template <int N, typename Body>
__device__ void for_each_unit(std::int64_t rows, std::int64_t columns, Body body) {
  const std::int64_t row_step = static_cast<std::int64_t>(gridDim.y) * blockDim.y;
  const std::int64_t column_step = static_cast<std::int64_t>(gridDim.x) * blockDim.x * N;
  const std::int64_t first_row = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  const std::int64_t first_column =
      (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) * N;
  for (std::int64_t row = first_row; row < rows; row += row_step) {
    for (std::int64_t column = first_column; column < columns; column += column_step) {
      const std::int64_t left = columns - column;
      body(row, column, left < N ? static_cast<int>(left) : N);
    }
  }
}

// body(index) for every index in [0, count) of this thread.
template <typename Body>
__device__ void for_each_index(std::int64_t count, Body body) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       index < count; index += step)
    body(index);
}

}  // namespace splitbench::kernels

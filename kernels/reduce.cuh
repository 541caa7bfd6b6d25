// Sums and extremes over threads, and their way into memory. Every thread of the block takes part.
#pragma once

#include <cstdint>
#include <cstring>

namespace splitbench::kernels {

inline constexpr int kWarp = 32;

// Over the 32 threads of a warp; the first of them gets the result.
template <typename T, typename Combine>
__device__ T over_warp(T value, Combine combine) {
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2)
    value = combine(value, __shfl_down_sync(0xffffffffU, value, distance));
  return value;
}

template <typename T>
__device__ T sum_over_warp(T value) {
  return over_warp(value, [](T a, T b) { return a + b; });
}

template <typename T>
__device__ T largest_of_warp(T value) {
  return over_warp(value, [](T a, T b) { return a < b ? b : a; });
}

// Of two places, counted from 1, the first; 0 is none.
__device__ inline unsigned long long first_of(unsigned long long a, unsigned long long b) {
  if (a == 0 || b == 0) return a + b;
  return a < b ? a : b;
}

__device__ inline unsigned long long first_of_warp(unsigned long long place) {
  return over_warp(place,
                   [](unsigned long long a, unsigned long long b) { return first_of(a, b); });
}

__device__ inline bool is_first_of_warp() {
  return (threadIdx.y * blockDim.x + threadIdx.x) % kWarp == 0;
}

// *place = the first of *place and candidate.
__device__ inline void keep_first(unsigned long long* place, unsigned long long candidate) {
  unsigned long long seen = atomicAdd(place, 0ULL);
  while (first_of(seen, candidate) != seen) {
    const unsigned long long before = atomicCAS(place, seen, candidate);
    if (before == seen) return;
    seen = before;
  }
}

// *value = max(*value, candidate), both >= 0 and not NaN: there doubles are ordered as their bits.
__device__ inline void keep_largest(double* value, double candidate) {
  unsigned long long bits;
  memcpy(&bits, &candidate, sizeof bits);
  atomicMax(reinterpret_cast<unsigned long long*>(value), bits);
}

}  // namespace splitbench::kernels

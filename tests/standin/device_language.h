// CUDA's device language for a C++ compiler: what a kernel's source needs so that it compiles for
// the CPU. Included before any kernel. The threads of a block share what is thread-local to the CPU
// thread that runs them.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cmath>
#include <cstring>

#include "tests/standin/block.h"

// NOLINTBEGIN(bugprone-reserved-identifier): the language's own names.
#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __launch_bounds__
#define __global__
#define __device__
#define __host__
#define __shared__ static thread_local
#define __launch_bounds__(...)

inline void __syncthreads() {
  splitbench::standin::meet_block();
}

template <typename T>
T __shfl_down_sync(unsigned lanes, T value, unsigned distance) {
  static_assert(sizeof(T) <= splitbench::standin::kExchangeBytes, "fits a slot");
  using namespace splitbench::standin;
  const unsigned lane = lane_of_thread();
  std::memcpy(exchange_slot(lane), &value, sizeof value);
  meet_warp(lanes);
  if (lane + distance < kWarpThreads) {
    std::memcpy(&value, exchange_slot(lane + distance), sizeof value);
  }
  next_exchange();
  return value;
}

// NOLINTEND(bugprone-reserved-identifier)

template <typename T>
T atomicAdd(T* place, T value) {
  T seen;
  __atomic_load(place, &seen, __ATOMIC_RELAXED);
  T sum = seen + value;
  while (
      !__atomic_compare_exchange(place, &seen, &sum, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    sum = seen + value;
  }
  return seen;
}

template <typename T>
T atomicCAS(T* place, T expected, T desired) {
  __atomic_compare_exchange(place, &expected, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

template <typename T>
T atomicMax(T* place, T value) {
  T seen;
  __atomic_load(place, &seen, __ATOMIC_RELAXED);
  while (seen < value && !__atomic_compare_exchange(place, &seen, &value, false, __ATOMIC_RELAXED,
                                                    __ATOMIC_RELAXED)) {
  }
  return seen;
}

// Bodies of flush.h. Two kernels, so that all is written before anything is read.
#pragma once

#include "kernels/flush.h"
#include "kernels/unit.cuh"

namespace splitbench::kernels {

using FlushUnit = Unit<std::uint32_t, 4>;

__global__ void flush_write_kernel(FlushUnit* units, std::int64_t count) {
  for_each_index(count, [&](std::int64_t index) {
    const auto value = static_cast<std::uint32_t>(index);
    units[index] = FlushUnit{{value, value, value, value}};
  });
}

// Every thread leaves the sum of what it read in the first unit it read, which no other reads.
__global__ void flush_read_kernel(FlushUnit* units, std::int64_t count) {
  std::uint32_t sum = 0;
  for_each_index(count, [&](std::int64_t index) {
    const FlushUnit unit = units[index];
    for (const std::uint32_t value : unit.values) sum += value;
  });
  const std::int64_t own = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (own < count) units[own].values[0] = sum;
}

}  // namespace splitbench::kernels

// Bodies of stamp.h.
#pragma once

#include "kernels/device_intrinsics.cuh"
#include "kernels/stamp.h"

namespace splitbench::kernels {

// A step of 1 us is met about every 30 readings, one of 1 ms a few times in all.
inline constexpr int kTimerReadings = 1 << 17;

__global__ void stamp_kernel(Stamp* stamp) {
  Stamp now;
  now.nanoseconds = global_timer_ns();
  now.cycles = multiprocessor_cycles();
  now.multiprocessor = multiprocessor_id();
  *stamp = now;
}

__global__ void timer_step_kernel(std::uint64_t* step_ns) {
  std::uint64_t smallest = 0;
  std::uint64_t before = global_timer_ns();
  for (int reading = 0; reading < kTimerReadings; ++reading) {
    const std::uint64_t now = global_timer_ns();
    const std::uint64_t step = now - before;
    if (step != 0 && (smallest == 0 || step < smallest)) smallest = step;
    before = now;
  }
  *step_ns = smallest;
}

}  // namespace splitbench::kernels

// Time stamps taken by the device. Stamps of different devices have nothing in common.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace splitbench::kernels {

struct Stamp {
  std::uint64_t nanoseconds = 0;     // globaltimer; its step is the device's affair
  std::uint64_t cycles = 0;          // clock64 of the multiprocessor that took the stamp
  std::uint32_t multiprocessor = 0;  // cycles of different ones do not compare
};

// *stamp = now. `stamp` is device memory or mapped host memory.
cudaError_t stamp(Stamp* stamp, cudaStream_t stream);

// *step_ns = the smallest step that globaltimer was seen to take, over 131072 readings in a row (a
// few milliseconds); 0 where it never moved.
cudaError_t measure_timer_step(std::uint64_t* step_ns, cudaStream_t stream);

}  // namespace splitbench::kernels

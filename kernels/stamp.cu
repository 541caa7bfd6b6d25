#include "kernels/launch.cuh"
#include "kernels/stamp.cuh"

namespace splitbench::kernels {

cudaError_t stamp(Stamp* stamp, cudaStream_t stream) {
  if (stamp == nullptr) return cudaErrorInvalidValue;
  return launch(stamp_kernel, 1, 1, stream, stamp);
}

cudaError_t measure_timer_step(std::uint64_t* step_ns, cudaStream_t stream) {
  if (step_ns == nullptr) return cudaErrorInvalidValue;
  return launch(timer_step_kernel, 1, 1, stream, step_ns);
}

}  // namespace splitbench::kernels

#include "kernels/launch.cuh"
#include "kernels/stamp.cuh"

namespace splitbench::kernels {

cudaError_t stamp(Stamp* stamp, cudaStream_t stream) {
  if (stamp == nullptr) return cudaErrorInvalidValue;
  stamp_kernel<<<1, 1, 0, stream>>>(stamp);
  return launched();
}

cudaError_t measure_timer_step(std::uint64_t* step_ns, cudaStream_t stream) {
  if (step_ns == nullptr) return cudaErrorInvalidValue;
  timer_step_kernel<<<1, 1, 0, stream>>>(step_ns);
  return launched();
}

}  // namespace splitbench::kernels

#include "kernels/launch.cuh"
#include "kernels/null.cuh"

namespace splitbench::kernels {

cudaError_t null(cudaStream_t stream) {
  return launch(null_kernel, 1, 1, stream);
}

}  // namespace splitbench::kernels

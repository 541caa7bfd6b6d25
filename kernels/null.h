// A kernel that does nothing: what a launch costs.
#pragma once

#include <cuda_runtime_api.h>

namespace splitbench::kernels {

cudaError_t null(cudaStream_t stream);

}  // namespace splitbench::kernels

// The cuda backend: NVIDIA GPUs, one rank process each, by the CUDA runtime, cuBLASLt and NCCL.
#pragma once

#include "harness/backend.h"

namespace splitbench::cuda {

const Backend* backend();  // lives as long as the process

}  // namespace splitbench::cuda

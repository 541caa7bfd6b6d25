// Body of null.h.
#pragma once

#include "null.h"

namespace splitbench::kernels {

__global__ void null_kernel() {}

}  // namespace splitbench::kernels

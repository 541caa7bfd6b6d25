// Body of null.h.
#pragma once

#include "kernels/null.h"

namespace splitbench::kernels {

__global__ void null_kernel() {}

}  // namespace splitbench::kernels

// values = max(values + bias, 0) in place; NaN stays NaN. For libraries without the epilogue, and
// for the control that puts ReLU in the wrong place. `bias` holds one element per column, of the
// matrix's type; null adds nothing.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/matrix.h"

namespace splitbench::kernels {

cudaError_t bias_relu(const Matrix& values, const void* bias, cudaStream_t stream);

}  // namespace splitbench::kernels

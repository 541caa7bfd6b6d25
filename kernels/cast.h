// to = from, element by element, rounded to nearest with ties to even. Same shape; the types may
// differ.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/matrix.h"

namespace splitbench::kernels {

cudaError_t cast(const Matrix& from, const Matrix& to, cudaStream_t stream);

}  // namespace splitbench::kernels

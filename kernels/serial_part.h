// The serial part of a layer: x += y (residual), normalised = x / rms(x), row by row, with
// rms(x) = sqrt(mean(x^2) + 1e-6) in fp32 (RMS norm, Zhang and Sennrich, arXiv 1910.07467, unit
// gain). The three matrices have the same shape and element type; x is read and written, and
// rounded to its type before it is normalised.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/matrix.h"

namespace splitbench::kernels {

cudaError_t serial_part(const Matrix& y, const Matrix& x, const Matrix& normalised,
                        cudaStream_t stream);

}  // namespace splitbench::kernels

// Empties the caches of a device: writes `bytes` of `buffer`, then reads them back. Give it more
// than twice the last-level cache. The sum of what was read lands in `buffer`, so that no compiler
// leaves the reads out.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace splitbench::kernels {

cudaError_t flush(void* buffer, std::size_t bytes, cudaStream_t stream);

}  // namespace splitbench::kernels

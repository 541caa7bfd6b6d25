// Empties the caches of a device: writes `bytes` of `buffer`, then reads them back. Give it more
// than twice the last-level cache. `buffer` is aligned to 16 bytes, as allocations are, and what is
// left of `bytes` after the last whole 16 is not touched. Sums of what was read land in `buffer`,
// so that no compiler leaves the reads out.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace splitbench::kernels {

cudaError_t flush(void* buffer, std::size_t bytes, cudaStream_t stream);

}  // namespace splitbench::kernels

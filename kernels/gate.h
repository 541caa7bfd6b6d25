// Holds a stream until the host lets it go: spins on one flag in mapped host memory.
//
// The gate opens when *flag >= ticket (tickets of one flag only grow). It gives up after
// `bound_ns` nanoseconds and then sets *expired to 1, so that a lost release ends as a void sample
// and not as a hang. `flag` is the device's address of mapped host memory, `expired` likewise or
// device memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace splitbench::kernels {

cudaError_t gate(const std::uint32_t* flag, std::uint32_t ticket, std::uint64_t bound_ns,
                 std::uint32_t* expired, cudaStream_t stream);

}  // namespace splitbench::kernels

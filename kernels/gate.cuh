// Body of gate.h.
#pragma once

#include "kernels/device_intrinsics.cuh"
#include "kernels/gate.h"

namespace splitbench::kernels {

__global__ void gate_kernel(const std::uint32_t* flag, std::uint32_t ticket, std::uint64_t bound_ns,
                            std::uint32_t* expired) {
  if (!wait_for_flag(flag, ticket, bound_ns)) *expired = 1;
}

}  // namespace splitbench::kernels

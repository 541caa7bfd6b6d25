#include "kernels/gate.cuh"
#include "kernels/launch.cuh"

namespace splitbench::kernels {

cudaError_t gate(const std::uint32_t* flag, std::uint32_t ticket, std::uint64_t bound_ns,
                 std::uint32_t* expired, cudaStream_t stream) {
  if (flag == nullptr || expired == nullptr) return cudaErrorInvalidValue;
  return launch(gate_kernel, 1, 1, stream, flag, ticket, bound_ns, expired);
}

}  // namespace splitbench::kernels

// The project's kernels, compiled for the CPU.
#include "tests/standin/device_language.h"

#include "kernels/bias_relu.cuh"
#include "kernels/cast.cuh"
#include "kernels/compare.cuh"
#include "kernels/fill.cuh"
#include "kernels/flush.cuh"
#include "kernels/gate.cuh"
#include "kernels/null.cuh"
#include "kernels/peer_probe.cuh"
#include "kernels/reference.cuh"
#include "kernels/serial_part.cuh"
#include "kernels/stamp.cuh"
#include "tests/standin/gate.h"
#include "tests/standin/register_kernel.h"

namespace splitbench::standin {
namespace {

// A gate tells the others that it will come.
BoundKernel bind_gate(void** from) {
  BoundKernel bound = bind_kernel<&kernels::gate_kernel>(from);
  const auto [flag, ticket, bound_ns, expired] = copy_arguments(&kernels::gate_kernel, from);
  bound.queued = [flag = flag, ticket = ticket] { announce_gate(flag, ticket); };
  return bound;
}

[[maybe_unused]] const bool registered = [] {
  using namespace kernels;
#define SPLITBENCH_KERNEL(threads, ...) \
  register_function<&__VA_ARGS__>(#__VA_ARGS__, Threads::threads);
#include "kernels/kernels.def"
#undef SPLITBENCH_KERNEL
  register_kernel(reinterpret_cast<const void*>(&gate_kernel),
                  {.name = "gate", .bind = &bind_gate});
  return true;
}();

}  // namespace
}  // namespace splitbench::standin

// The kernels that the stand-ins can run: bodies compiled for the CPU, found by the mangled name
// that the host's stub registers.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "tests/standin/block.h"
#include "tests/standin/stream.h"

namespace splitbench::standin {

// One launch with its arguments, copied when it was launched or captured.
struct BoundKernel {
  std::function<void()> thread;    // the body, for the thread that the built-in variables name
  std::vector<std::byte> bytes;    // the arguments, to look for addresses in
  double moved_bytes = 0;          // its stated traffic
  std::function<void()> queued{};  // see Operation
};

struct Kernel {
  std::string name;  // in truths and in the scenario's table_s
  Threads threads = Threads::independent;
  std::function<BoundKernel(void** arguments)> bind;
};

// `function` is the body's address; its symbol's name is what it is found by.
void register_kernel(const void* function, Kernel kernel);
// Whether some kernel has this name (Kernel::name).
bool is_kernel(const std::string& name);

const Kernel* find_kernel(const std::string& mangled_name);

// What one launch does on a device: checks the addresses in its arguments, runs all threads, takes
// its time.
Operation launch_operation(const Kernel& kernel, dim3 grid, dim3 block, void** arguments);

// The turn of the kernel that the calling thread runs.
Turn& running_turn();

}  // namespace splitbench::standin

#include "tests/standin/kernel.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "tests/standin/device.h"
#include "tests/standin/fault.h"
#include "tests/standin/memory.h"
#include "tests/standin/near.h"
#include "tests/standin/scenario.h"

namespace splitbench::standin {
namespace {

std::map<std::string, Kernel>& kernels() {
  static auto& kernels = *new std::map<std::string, Kernel>;
  return kernels;
}

enum class Reach { own, peer, forbidden };

// The farthest memory that an address in the arguments leads to.
Reach reach_of(const std::vector<std::byte>& arguments, int device) {
  Reach reach = Reach::own;
  for (std::size_t at = 0; at + sizeof(void*) <= arguments.size(); at += sizeof(void*)) {
    const void* address = nullptr;
    std::memcpy(&address, &arguments[at], sizeof address);
    const std::optional<Allocation> found = find_allocation(address);
    if (!found || found->type != cudaMemoryTypeDevice || found->device == device) continue;
    if (!peers_enabled(device, found->device)) return Reach::forbidden;
    reach = Reach::peer;
  }
  return reach;
}

// Runs its threads; false when one left the memory that the device may touch.
bool run(const Kernel& kernel, dim3 grid, dim3 block, const BoundKernel& bound, Turn& turn) {
  const Reach reach = reach_of(bound.bytes, turn.device());
  if (reach == Reach::forbidden) return false;
  if (reach == Reach::peer && strike("corrupt-peer", turn.device()) != nullptr) return true;
  turn_of_thread = &turn;
  const bool legal = run_grid(grid, block, kernel.threads, bound.thread);
  turn_of_thread = nullptr;
  return legal;
}

void take_time(const Kernel& kernel, const BoundKernel& bound, Turn& turn) {
  const Scenario& given = scenario();
  if (kernel.name == "serial_part" && given.serial_s) {
    turn.spend_in_all(*given.serial_s);
  } else {
    turn.spend(bound.moved_bytes / given.memory_bytes_per_s);
  }
}

}  // namespace

void register_kernel(const void* function, Kernel kernel) {
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_sname == nullptr) {
    std::fprintf(stderr, "stand-in: the kernel %s has no exported name\n", kernel.name.c_str());
    std::abort();
  }
  kernels()[info.dli_sname] = std::move(kernel);
}

bool is_kernel(const std::string& name) {
  const auto& all = kernels();
  return std::any_of(all.begin(), all.end(),
                     [&name](const auto& entry) { return entry.second.name == name; });
}

const Kernel* find_kernel(const std::string& mangled_name) {
  const auto found = kernels().find(mangled_name);
  return found == kernels().end() ? nullptr : &found->second;
}

Operation launch_operation(const Kernel& kernel, dim3 grid, dim3 block, void** arguments) {
  auto bound = std::make_shared<const BoundKernel>(kernel.bind(arguments));
  return {.kind = Kind::kernel,
          .name = kernel.name,
          .body =
              [&kernel, grid, block, bound](Turn& turn) {
                if (run(kernel, grid, block, *bound, turn)) {
                  take_time(kernel, *bound, turn);
                } else {
                  raise(turn.device(), cudaErrorIllegalAddress);
                }
              },
          .queued = bound->queued};
}

Turn& running_turn() {
  return *turn_of_thread;
}

}  // namespace splitbench::standin

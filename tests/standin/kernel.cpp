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

#include "tests/standin/corruption.h"
#include "tests/standin/device.h"
#include "tests/standin/memory.h"
#include "tests/standin/near.h"
#include "tests/standin/scenario.h"

namespace splitbench::standin {
namespace {

std::map<std::string, Kernel>& kernels() {
  static auto& kernels = *new std::map<std::string, Kernel>;
  return kernels;
}

// Memory of another device that the arguments lead to, where they do.
struct Reach {
  bool forbidden = false;
  std::optional<Allocation> peer;
};

Reach reach_of(const std::vector<std::byte>& arguments, int device) {
  Reach reach;
  for (std::size_t at = 0; at + sizeof(void*) <= arguments.size(); at += sizeof(void*)) {
    const void* address = nullptr;
    std::memcpy(&address, &arguments[at], sizeof address);
    const std::optional<Allocation> found = find_allocation(address);
    if (!found || found->type != cudaMemoryTypeDevice || found->device == device) continue;
    reach.forbidden = reach.forbidden || !peers_enabled(device, found->device);
    reach.peer = found;
  }
  return reach;
}

bool run_threads(const Kernel& kernel, dim3 grid, dim3 block, const BoundKernel& bound,
                 Turn& turn) {
  turn_of_thread = &turn;
  const bool legal = run_grid(grid, block, kernel.threads, bound.thread);
  turn_of_thread = nullptr;
  return legal;
}

// The kernel's stores into another device's memory, as that device finds them.
class CorruptedStores {
 public:
  explicit CorruptedStores(const Allocation& peer)
      : begin_(reinterpret_cast<std::byte*>(peer.begin)), before_(begin_, begin_ + peer.bytes) {}

  // From the first word of 32 bits that changed to the last.
  void arrive_as(Corruption how) {
    constexpr std::size_t kWord = 4;
    static auto& previous = *new std::map<std::byte*, std::vector<std::byte>>;
    const std::vector<std::byte> after(begin_, begin_ + before_.size());
    const auto changed = [&](std::size_t word) {
      const std::size_t bytes = std::min(kWord, after.size() - word * kWord);
      return std::memcmp(&after[word * kWord], &before_[word * kWord], bytes) != 0;
    };
    std::size_t first = 0;
    std::size_t end = (after.size() + kWord - 1) / kWord;
    while (first < end && !changed(first)) ++first;
    while (end > first && !changed(end - 1)) --end;
    if (first == end) return;
    std::memcpy(begin_, before_.data(), before_.size());
    std::byte* there = begin_ + first * kWord;
    const std::byte* sent = &after[first * kWord];
    const std::size_t bytes = std::min(end * kWord, after.size()) - first * kWord;
    arrive(how, there, sent, previous[there], bytes);
    previous[there].assign(sent, sent + bytes);
  }

 private:
  std::byte* begin_;
  std::vector<std::byte> before_;
};

// Runs its threads; false when one left the memory that the device may touch.
bool run(const Kernel& kernel, dim3 grid, dim3 block, const BoundKernel& bound, Turn& turn) {
  const Reach reach = reach_of(bound.bytes, turn.device());
  if (reach.forbidden) return false;
  Corruption how{};
  if (!reach.peer || !strikes_way(turn.device(), reach.peer->device, how)) {
    return run_threads(kernel, grid, block, bound, turn);
  }
  CorruptedStores stores(*reach.peer);
  if (!run_threads(kernel, grid, block, bound, turn)) return false;
  stores.arrive_as(how);
  return true;
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

#include "tests/standin/memory.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <sstream>
#include <string>

#include "tests/standin/device.h"
#include "tests/standin/scenario.h"

namespace splitbench::standin {
namespace {

constexpr std::size_t kAlignment = 256;  // what cudaMalloc promises
constexpr std::size_t kPoisonedBytes = std::size_t{16} << 20;
constexpr int kPoison = 0xa5;

struct Block {
  Allocation allocation;
  void* mapping = nullptr;  // ours, guard pages included; null when registered
  std::size_t mapped = 0;
};

struct Registry {
  std::mutex mutex;
  std::map<std::uintptr_t, Block> blocks;
  std::size_t in_use[kMostDevices] = {};
};

Registry& registry() {
  static Registry& registry = *new Registry;
  return registry;
}

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

std::uintptr_t address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

// The memory ends right before a page that nobody may touch, and one stands before it too. No
// mapping where the system gives no more: of bytes, or of mappings (vm.max_map_count).
Block map_between_guards(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t used = round_up(std::max<std::size_t>(bytes, 1), kAlignment);
  const std::size_t usable = round_up(used, page);
  Block block{.mapped = usable + 2 * page};
  void* mapping =
      mmap(nullptr, block.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return {};
  char* first = static_cast<char*>(mapping) + page;
  if (mprotect(first, usable, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping, block.mapped);
    return {};
  }
  block.mapping = mapping;
  char* begin = first + (usable - used);
  std::memset(begin, kPoison, std::min(used, kPoisonedBytes));
  block.allocation.begin = address_of(begin);
  block.allocation.bytes = bytes;
  return block;
}

// The pages go back, their addresses do not: nothing comes to stand there that a late access could
// hit unnoticed.
void vacate(const Block& block) {
  mmap(block.mapping, block.mapped, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

std::uint64_t private_identity(std::uintptr_t begin) {
  return std::hash<std::string>{}(std::to_string(getpid()) + "@" + std::to_string(begin));
}

// For a shared mapping of a file: its device, inode and the offset in it, from /proc/self/maps.
std::uint64_t identity_of(std::uintptr_t begin) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::uintptr_t from = 0;
    std::uintptr_t to = 0;
    std::uint64_t offset = 0;
    char dash = 0;
    std::string rights;
    std::string file_system;
    std::string inode;
    fields >> std::hex >> from >> dash >> to >> rights >> offset >> file_system >> inode;
    if (begin < from || begin >= to) continue;
    if (inode == "0" || rights.back() != 's') break;
    return std::hash<std::string>{}(file_system + ":" + inode + "+" +
                                    std::to_string(offset + (begin - from)));
  }
  return private_identity(begin);
}

void* keep(Block block, int device, cudaMemoryType type) {
  Registry& all = registry();
  block.allocation.device = device;
  block.allocation.type = type;
  block.allocation.identity = private_identity(block.allocation.begin);
  all.blocks[block.allocation.begin] = block;
  return reinterpret_cast<void*>(block.allocation.begin);
}

}  // namespace

void* allocate_device(int device, std::size_t bytes) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  if (bytes > scenario().memory_bytes - all.in_use[device]) return nullptr;
  const Block block = map_between_guards(bytes);
  if (block.mapping == nullptr) return nullptr;
  all.in_use[device] += bytes;
  return keep(block, device, cudaMemoryTypeDevice);
}

void* allocate_host(int device, std::size_t bytes) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const Block block = map_between_guards(bytes);
  return block.mapping == nullptr ? nullptr : keep(block, device, cudaMemoryTypeHost);
}

cudaError_t register_host(int device, void* begin, std::size_t bytes) {
  const Allocation allocation{.begin = address_of(begin),
                              .bytes = bytes,
                              .device = device,
                              .type = cudaMemoryTypeHost,
                              .registered = true,
                              .identity = identity_of(address_of(begin))};
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto next = all.blocks.lower_bound(allocation.begin);
  const bool meets_next =
      next != all.blocks.end() && next->first < allocation.begin + allocation.bytes;
  const bool meets_previous =
      next != all.blocks.begin() &&
      std::prev(next)->first + std::prev(next)->second.allocation.bytes > allocation.begin;
  if (meets_next || meets_previous) return cudaErrorHostMemoryAlreadyRegistered;
  all.blocks[allocation.begin] = Block{.allocation = allocation};
  return cudaSuccess;
}

bool release(const void* begin, cudaMemoryType type, bool registered) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.blocks.find(address_of(begin));
  if (found == all.blocks.end()) return false;
  const Block block = found->second;
  if (block.allocation.type != type || block.allocation.registered != registered) return false;
  if (type == cudaMemoryTypeDevice) all.in_use[block.allocation.device] -= block.allocation.bytes;
  if (block.mapping != nullptr) vacate(block);
  all.blocks.erase(found);
  return true;
}

std::size_t device_bytes_in_use(int device) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  return all.in_use[device];
}

std::optional<Allocation> find_allocation(const void* address) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  auto next = all.blocks.upper_bound(address_of(address));
  if (next == all.blocks.begin()) return std::nullopt;
  const Allocation& allocation = std::prev(next)->second.allocation;
  const std::size_t offset = address_of(address) - allocation.begin;
  if (offset >= std::max<std::size_t>(allocation.bytes, 1)) return std::nullopt;
  return allocation;
}

bool accessible(int device, const void* begin, std::size_t bytes) {
  if (bytes == 0) return true;
  const std::optional<Allocation> allocation = find_allocation(begin);
  if (!allocation) return false;
  const std::size_t offset = address_of(begin) - allocation->begin;
  if (bytes > allocation->bytes - offset) return false;
  return allocation->type != cudaMemoryTypeDevice || allocation->device == device ||
         peers_enabled(device, allocation->device);
}

}  // namespace splitbench::standin

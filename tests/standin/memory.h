// Memory that the runtime handed out or registered. Device memory is host memory between two pages
// that nobody may touch; a kernel that leaves it gets an illegal address.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace splitbench::standin {

struct Allocation {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  int device = 0;  // owner; for host memory, the device that was current
  cudaMemoryType type = cudaMemoryTypeDevice;
  bool registered = false;     // memory of the caller's, by cudaHostRegister
  std::uint64_t identity = 0;  // of its bytes: the same in all processes that map them
};

// Aligned to 256 bytes, filled with 0xa5 up to 16 MiB. Null when the device has no room for it.
void* allocate_device(int device, std::size_t bytes);
void* allocate_host(int device, std::size_t bytes);
cudaError_t register_host(int device, void* begin, std::size_t bytes);
// False when no such memory begins there.
bool release(const void* begin, cudaMemoryType type, bool registered);

std::size_t device_bytes_in_use(int device);

// The allocation that holds this address.
std::optional<Allocation> find_allocation(const void* address);

// Whether the device may touch all of these bytes: its own memory, host memory that is known here,
// or memory of a device whose peer access is on. All inside one allocation.
bool accessible(int device, const void* begin, std::size_t bytes);

}  // namespace splitbench::standin

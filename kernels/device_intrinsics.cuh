// What a kernel asks of the machine beneath it: clocks, waiting for a flag, fences. Kernels reach
// these through this header alone, so that the same bodies run on CPU stand-ins, where
// SPLITBENCH_STANDIN is defined and the functions at the top take the machine's place.
#pragma once

#include <cstdint>

#ifdef SPLITBENCH_STANDIN

extern "C" {
std::uint64_t splitbench_standin_global_timer_ns(void);
std::uint64_t splitbench_standin_multiprocessor_cycles(void);
std::uint32_t splitbench_standin_multiprocessor_id(void);
// 1 when *flag >= ticket, 0 when `bound_ns` passed before that; gives up the core while it waits.
int splitbench_standin_wait_for_flag(const std::uint32_t* flag, std::uint32_t ticket,
                                     std::uint64_t bound_ns);
void splitbench_standin_fence_system(void);
}

namespace splitbench::kernels {

inline std::uint64_t global_timer_ns() {
  return splitbench_standin_global_timer_ns();
}

inline std::uint64_t multiprocessor_cycles() {
  return splitbench_standin_multiprocessor_cycles();
}

inline std::uint32_t multiprocessor_id() {
  return splitbench_standin_multiprocessor_id();
}

inline bool wait_for_flag(const std::uint32_t* flag, std::uint32_t ticket, std::uint64_t bound_ns) {
  return splitbench_standin_wait_for_flag(flag, ticket, bound_ns) != 0;
}

inline void fence_system() {
  splitbench_standin_fence_system();
}

}  // namespace splitbench::kernels

#else

namespace splitbench::kernels {

// Nanoseconds, the same on all multiprocessors of a device; its step may be a microsecond.
__device__ inline std::uint64_t global_timer_ns() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

// Clock cycles of the multiprocessor that the caller runs on.
__device__ inline std::uint64_t multiprocessor_cycles() {
  return static_cast<std::uint64_t>(clock64());
}

__device__ inline std::uint32_t multiprocessor_id() {
  std::uint32_t id;
  asm("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

// A load that sees what the host wrote before it stored this value (PTX memory model, scope sys).
__device__ inline std::uint32_t load_acquire_system(const std::uint32_t* flag) {
  std::uint32_t value;
  asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value;
}

// True when *flag >= ticket; false when `bound_ns` passed before that. Spins without sleeping: a
// reading over PCIe takes about a microsecond as it is.
__device__ inline bool wait_for_flag(const std::uint32_t* flag, std::uint32_t ticket,
                                     std::uint64_t bound_ns) {
  const std::uint64_t start = global_timer_ns();
  while (load_acquire_system(flag) < ticket) {
    if (global_timer_ns() - start >= bound_ns) return false;
  }
  return true;
}

// What the caller wrote before is seen, by host and peers too, before what it writes after.
__device__ inline void fence_system() {
  __threadfence_system();
}

}  // namespace splitbench::kernels

#endif

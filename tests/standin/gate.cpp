#include "tests/standin/gate.h"

#include <ctime>
#include <optional>

#include "kernels/device_intrinsics.cuh"
#include "tests/standin/kernel.h"
#include "tests/standin/memory.h"
#include "tests/standin/shared_state.h"

namespace splitbench::standin {
namespace {

Topic topic_of(const std::uint32_t* flag, std::uint32_t ticket) {
  const auto address = reinterpret_cast<std::uintptr_t>(flag);
  const std::optional<Allocation> memory = find_allocation(flag);
  if (!memory) return {address, ticket};
  return {memory->identity + (address - memory->begin), ticket};
}

// Gives up the core: the host stores the ticket without telling anyone.
void rest() {
  const timespec time{.tv_sec = 0, .tv_nsec = 20'000};
  nanosleep(&time, nullptr);
}

std::int64_t now_ns() {
  return std::chrono::floor<std::chrono::nanoseconds>(running_turn().time()).count();
}

}  // namespace

void announce_gate(const std::uint32_t* flag, std::uint32_t ticket) {
  announce(topic_of(flag, ticket));
}

}  // namespace splitbench::standin

using namespace splitbench::standin;

extern "C" {

std::uint64_t splitbench_standin_global_timer_ns() {
  return static_cast<std::uint64_t>(now_ns()) + running_turn().next_reading();
}

// 1 GHz.
std::uint64_t splitbench_standin_multiprocessor_cycles() {
  return static_cast<std::uint64_t>(now_ns());
}

std::uint32_t splitbench_standin_multiprocessor_id() {
  return 0;
}

int splitbench_standin_wait_for_flag(const std::uint32_t* flag, std::uint32_t ticket,
                                     std::uint64_t bound_ns) {
  const Topic topic = topic_of(flag, ticket);
  const Time deadline = monotonic_now() + std::chrono::nanoseconds(bound_ns);
  const auto expired = [&] { return monotonic_now() >= deadline; };
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) < ticket) {
    if (expired()) {
      withdraw(topic);
      return 0;
    }
    rest();
  }
  const std::optional<Time> latest = meet(topic, announced(topic), running_turn().now(), expired);
  if (latest) running_turn().wait_for(*latest);
  return latest ? 1 : 0;
}

void splitbench_standin_fence_system() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
}

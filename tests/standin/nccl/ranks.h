// Rank processes that hold a communicator, for tests.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <nccl.h>
#include <poll.h>
#include <sys/mman.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "tests/standin/test/scenario_run.h"

namespace splitbench::standin {

// What one rank has: its device, a stream on it, and the communicator of all.
struct Rank {
  int rank = 0;
  int ranks = 0;
  cudaStream_t stream = nullptr;
  ncclComm_t communicator = nullptr;
};

// Memory that processes forked after this share: how rank 0's unique id gets to the others.
class SharedId {
 public:
  SharedId()
      : memory_(static_cast<Memory*>(mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~SharedId() { munmap(memory_, sizeof(Memory)); }
  SharedId(const SharedId&) = delete;
  SharedId& operator=(const SharedId&) = delete;

  // Made by rank 0, waited for by the others.
  ncclUniqueId get(int rank) {
    if (rank == 0) {
      EXPECT_EQ(ncclGetUniqueId(&memory_->id), ncclSuccess) << ncclGetLastError(nullptr);
      memory_->made = true;
    }
    while (!memory_->made) std::this_thread::yield();
    return memory_->id;
  }

 private:
  struct Memory {
    std::atomic<bool> made;
    ncclUniqueId id;
  };
  Memory* memory_;
};

inline std::string scenario_of(int devices, const std::string& more = "") {
  return R"({"devices": )" + std::to_string(devices) + (more.empty() ? "" : ", " + more) + "}";
}

// Runs body on each of `ranks` processes, each with a communicator of all on a device of its own.
// The communicator is left to the body, which may abort it.
inline void with_communicator(int ranks, const std::string& more,
                              const std::function<void(Rank)>& body) {
  SharedId id;
  run_ranks(scenario_of(ranks, more), ranks, [&](int number) {
    Rank rank{.rank = number, .ranks = ranks};
    ASSERT_EQ(cudaSetDevice(number), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&rank.stream, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(ncclCommInitRank(&rank.communicator, ranks, id.get(number), number), ncclSuccess)
        << ncclGetLastError(nullptr);
    body(rank);
  });
}

}  // namespace splitbench::standin

// One rank of a communicator, and the all-reduce that it takes part in.
#pragma once

#include <nccl.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "tests/standin/nccl/clique.h"
#include "tests/standin/nccl/fabric.h"
#include "tests/standin/stream.h"

namespace splitbench::standin {

struct AllReduceCall {
  const void* from = nullptr;
  void* to = nullptr;
  CollectiveCall what;
};

class Communicator {
 public:
  // Joins without waiting. Throws std::runtime_error, see Clique.
  Communicator(const ncclUniqueId& id, int rank, int ranks, int device, std::uint64_t host)
      : clique_(id, rank, ranks, device, host), device_(device) {}

  void wait_for_all() const;  // until every rank has joined

  int device() const { return device_; }
  const Clique& clique() const { return clique_; }

  // On a stream's thread: to = the sum of all ranks' `from`, added in the order of ranks, so that
  // all ranks end with the same bits. It starts when the last rank has come and takes
  // seconds_of(). Ranks that disagree about the call get ncclInternalError as their asynchronous
  // error and wait for ever, as ranks do whose peers never come, until abort().
  void all_reduce(Turn& turn, const AllReduceCall& call);

  // latency_s + V / bandwidth_bytes_per_s with V = 2 (N - 1) / N * message (a ring; nccl-tests,
  // doc/PERFORMANCE.md), without the launch.
  double seconds_of(const CollectiveCall& call) const;

  void abort();
  ncclResult_t async_error() const { return clique_.error(); }

 private:
  bool ranks_agree() const;
  void sum_chunk(const CollectiveCall& call, std::size_t bytes, void* to);
  void fail(ncclResult_t error);  // for all ranks; this one waits until abort()
  void wait_for_abort();

  Clique clique_;
  int device_;
  Fabric fabric_;
  std::atomic<bool> aborted_{false};
  std::mutex mutex_;  // one collective at a time, whatever streams they are on
};

}  // namespace splitbench::standin

// What ncclComm_t points to. Operations in queues and graphs share the communicator, so that they
// outlive the handle.
struct ncclComm {
  std::shared_ptr<splitbench::standin::Communicator> communicator;
};

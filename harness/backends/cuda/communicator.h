// All-reduce over ranks by NCCL, and nothing else. Communicators are blocking: a call returns when
// its work is queued, and an end stamp never precedes the collective. A rank that hangs in one is
// ended by the supervisor.
#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <cstddef>
#include <optional>
#include <string>

#include "harness/backends/cuda/runtime.h"
#include "model/operation.h"
#include "model/quantity.h"

namespace splitbench::cuda {

class Communicator {
 public:
  // What rank 0 makes and every rank is given: printable text.
  static std::string make_id();
  static std::string version();  // "2.28.9"
  static std::string path();     // of the loaded library

  // Collective: returns when every rank has come.
  Communicator(const std::string& id, int rank, int ranks);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  // to = the sum over ranks of from; both may be the same memory. Queues on the stream.
  void all_reduce(const void* from, void* to, std::size_t elements, DataType dtype,
                  cudaStream_t stream) const;

  // Throws HarnessError where NCCL has met an error since.
  void check_async() const;

  // What NCCL thinks one all-reduce takes; nothing where it is older than 2.22 or does not say.
  // Nothing is sent.
  std::optional<Seconds> estimate(void* memory, std::size_t elements, DataType dtype,
                                  cudaStream_t stream) const;

  // Gives up on the other ranks, which may wait in a collective. Can hang: only for a process that
  // somebody ends.
  void abort() noexcept;

  // Waits until the stream has done everything queued on it; sleeps between looks. Throws
  // HarnessError for an error of device or NCCL, and when `patience` ends.
  void wait(cudaStream_t stream, Seconds patience) const;

 private:
  ncclComm_t handle_ = nullptr;
};

}  // namespace splitbench::cuda

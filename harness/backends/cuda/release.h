// How queues of several ranks start together: each holds its stream at a gate, and one store to
// memory that all map opens every gate. Tickets only grow; every rank counts them alike, also those
// of repeats in which it takes no part.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "harness/backends/cuda/runtime.h"
#include "harness/rank/shared_region.h"

namespace splitbench::cuda {

class Release {
 public:
  // Data bytes of the session's shared memory that it takes.
  static constexpr std::size_t kSharedBytes = std::size_t{2} << 12;

  explicit Release(SharedRegion& region);

  // Queues a gate for the next repeat.
  void hold(cudaStream_t stream);
  // Counts repeats that other ranks hold and let go.
  void skip(int repeats) { ticket_ += static_cast<std::uint32_t>(repeats); }
  // Opens the gates that were queued last, on every rank.
  void let_go();

  // Whether a gate since the last time it was asked gave up waiting, so that its repeat started
  // before the others.
  bool came_too_late();

 private:
  std::uint32_t* flag_;
  MappedHost mapped_;
  Pinned<std::uint32_t> expired_;
  std::uint32_t ticket_ = 0;
};

}  // namespace splitbench::cuda

// The correctness checks of docs/rules.md on GPUs. All are collective.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "harness/backends/cuda/arms.h"
#include "harness/backends/cuda/communicator.h"
#include "harness/backends/cuda/matmul.h"
#include "harness/rank/rank_barrier.h"
#include "harness/rank/shared_region.h"
#include "results/run_record.h"

namespace splitbench::cuda {

// What the checks need of a rank; all of it belongs to somebody else.
struct VerifyContext {
  // What is timed: products, weights, buffers and communicator. Buffers are overwritten; weights of
  // layer 0 too, and made again.
  const Workplace* at = nullptr;
  std::uint64_t seed = 1;  // of the weights
  const MatmulLibrary* library = nullptr;
  cudaStream_t stream = nullptr;
  SharedRegion* region = nullptr;
  RankBarrier* barrier = nullptr;
  int rank = 0;
  Seconds patience{60};
};

// Everything, at the operation's own shape, on its own weights. The same on every rank. The
// reference is float64 products of each rank's shard, by kernels of our own, summed by the host:
// nothing of it goes through the libraries under test, and the whole need not fit on one device.
Correctness verify(const VerifyContext& context);

}  // namespace splitbench::cuda

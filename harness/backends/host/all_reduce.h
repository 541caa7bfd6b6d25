// All-reduce of float sums through shared memory: reduce-scatter, then all-gather.
//
// Every rank puts its partial into its own slot; rank r sums segment r of all slots, in rank order,
// into the result; every rank copies the result. Each segment is summed once, so all ranks end with
// the same bits. In-place flag: not in place (the partial is kept).
#pragma once

#include <cstddef>
#include <span>

#include "harness/rank/rank_barrier.h"
#include "harness/rank/shared_region.h"

namespace splitbench::host {

class AllReduce {
 public:
  // Shared bytes that messages of up to `largest` elements need.
  static std::size_t shared_bytes(std::size_t largest, int ranks);

  AllReduce(SharedRegion& region, RankBarrier& barrier, int rank, std::size_t largest);

  // The largest message, in elements, for which this region has room.
  static std::size_t largest(SharedRegion& region);

  // This rank's slot: what sum() adds up. Written by the rank, kept by sum().
  std::span<float> partial(std::size_t elements);

  // y = sum over ranks of partial(y.size()). Collective.
  void sum(std::span<float> y);

 private:
  std::span<float> slot(int rank, std::size_t elements) const;
  std::span<float> result(std::size_t elements) const;

  float* memory_;
  RankBarrier* barrier_;
  int rank_;
  int ranks_;
  std::size_t stride_;  // floats from one slot to the next
};

}  // namespace splitbench::host

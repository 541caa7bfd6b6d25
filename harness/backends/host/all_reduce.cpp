#include "harness/backends/host/all_reduce.h"

#include <algorithm>

#include "harness/backend.h"

namespace splitbench::host {
namespace {

constexpr std::size_t kLine = 64 / sizeof(float);  // segments begin on cache lines

std::size_t stride(std::size_t elements) {
  return (elements + kLine - 1) / kLine * kLine;
}

}  // namespace

std::size_t AllReduce::shared_bytes(std::size_t largest, int ranks) {
  return (static_cast<std::size_t>(ranks) + 1) * stride(largest) * sizeof(float);
}

std::size_t AllReduce::largest(SharedRegion& region) {
  const std::size_t slots = static_cast<std::size_t>(region.ranks()) + 1;
  return region.data().size() / sizeof(float) / slots / kLine * kLine;
}

AllReduce::AllReduce(SharedRegion& region, RankBarrier& barrier, int rank, std::size_t largest)
    : memory_(reinterpret_cast<float*>(region.data().data())),
      barrier_(&barrier),
      rank_(rank),
      ranks_(region.ranks()),
      stride_(stride(largest)) {
  if (shared_bytes(largest, ranks_) > region.data().size()) {
    throw HarnessError("the shared memory is too small for this message");
  }
}

std::span<float> AllReduce::slot(int rank, std::size_t elements) const {
  return {memory_ + static_cast<std::size_t>(rank) * stride_, elements};
}

std::span<float> AllReduce::result(std::size_t elements) const {
  return slot(ranks_, elements);
}

std::span<float> AllReduce::partial(std::size_t elements) {
  return slot(rank_, elements);
}

void AllReduce::sum(std::span<float> y) {
  const std::size_t share =
      stride((y.size() + static_cast<std::size_t>(ranks_) - 1) / static_cast<std::size_t>(ranks_));
  const std::size_t begin = std::min(y.size(), share * static_cast<std::size_t>(rank_));
  const std::size_t end = std::min(y.size(), begin + share);
  const std::span<float> total = result(y.size());
  const std::span<float> mine = total.subspan(begin, end - begin);
  barrier_->meet();
  for (int rank = 0; rank < ranks_; ++rank) {
    const std::span<const float> theirs = slot(rank, y.size()).subspan(begin, mine.size());
    if (rank == 0) {
      std::copy(theirs.begin(), theirs.end(), mine.begin());
    } else {
      for (std::size_t i = 0; i < mine.size(); ++i) mine[i] += theirs[i];
    }
  }
  // Past this meeting no slot is read any more; the result is written next after the first meeting
  // of the next sum, which no rank reaches before it has copied this one.
  barrier_->meet();
  std::copy(total.begin(), total.end(), y.begin());
}

}  // namespace splitbench::host

// Ranks as threads of a test, with the shared memory and the barrier that rank processes have.
#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "harness/rank/rank_barrier.h"
#include "harness/rank/shared_region.h"

namespace splitbench::test {

inline void on_ranks(int ranks, std::size_t data_bytes,
                     const std::function<void(int, RankBarrier&, SharedRegion&)>& work) {
  SharedRegion region = SharedRegion::create(ranks, data_bytes);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      RankBarrier barrier(region, rank, Seconds(60), true);
      work(rank, barrier, region);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace splitbench::test

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "harness/backends/cuda/checks.h"
#include "harness/backends/cuda/communicator.h"
#include "harness/backends/cuda/environment.h"
#include "harness/backends/cuda/runtime.h"
#include "harness/backends/cuda/seats.h"
#include "harness/rank/rank_barrier.h"
#include "harness/rank/shared_region.h"

namespace splitbench::cuda {
namespace {

using Clock = std::chrono::steady_clock;

// Of float: one, an odd number of them, and more than a protocol's buffer of 64 KiB.
constexpr std::array<std::size_t, 3> kElements{1, 1027, (std::size_t{1} << 18) + 3};

// Small whole numbers, so that the sum is exact in any order: rank r gives r + 1 + i mod 8.
float term(int rank, std::size_t index) {
  return static_cast<float>(rank + 1) + static_cast<float>(index % 8);
}

float sum_of_terms(int ranks, std::size_t index) {
  const int ranks_and_one = ranks * (ranks + 1) / 2;
  return static_cast<float>(ranks_and_one) +
         static_cast<float>(ranks) * static_cast<float>(index % 8);
}

// Collective.
double longest_of_ranks(double seconds, const RankSeat& seat, RankBarrier& barrier) {
  seat.shared->times(seat.rank)[0] = seconds;
  barrier.meet_asleep();
  double longest = 0;
  for (int rank = 0; rank < seat.shared->ranks(); ++rank) {
    longest = std::max(longest, seat.shared->times(rank)[0]);
  }
  barrier.meet_asleep();
  return longest;
}

// One rank's part of an all-reduce of `elements`; what is wrong with its sums, empty where nothing
// is.
std::string all_reduce(const Communicator& communicator, int rank, int ranks, std::size_t elements,
                       const DeviceMemory& memory, const Pinned<float>& host, cudaStream_t stream,
                       Seconds patience) {
  for (std::size_t i = 0; i < elements; ++i) host.host()[i] = term(rank, i);
  const std::size_t bytes = elements * sizeof(float);
  copy(memory.data(), host.host(), bytes, stream);
  communicator.all_reduce(memory.data(), memory.data(), elements, DataType::fp32, stream);
  copy(host.host(), memory.data(), bytes, stream);
  communicator.wait(stream, patience);
  for (std::size_t i = 0; i < elements; ++i) {
    const float right = sum_of_terms(ranks, i);
    if (host.host()[i] == right) continue;
    return fmt::format("rank {}: element {} of {} is {}, not {}", rank, i, elements, host.host()[i],
                       right);
  }
  return {};
}

}  // namespace

void examine_collective(Risk risk, const RankSeat& seat, Examiner& examiner) {
  const char* const check_name = risk == Risk::staged ? "all-reduce-staged" : "all-reduce";
  const int ranks = seat.shared->ranks();
  examiner.looks(check_name, fmt::format("CUDA runtime: starting rank {}", seat.rank));
  if (share_a_device(seat.request.devices)) claim_own_host(seat.rank);
  use_device(seat.request.devices.at(static_cast<std::size_t>(seat.rank)));
  const Stream stream = make_stream();
  const DeviceMemory memory(kElements.back() * sizeof(float));
  const Pinned<float> host(kElements.back());
  RankBarrier barrier(*seat.shared, seat.rank, seat.patience, true);
  examiner.looks(check_name, "NCCL: making an id");
  const auto begin = Clock::now();
  const std::string id = barrier.broadcast(seat.rank == 0 ? Communicator::make_id() : "");
  examiner.looks(check_name, fmt::format("NCCL: joining as rank {} of {}", seat.rank, ranks));
  const Communicator communicator(id, seat.rank, ranks);
  const std::chrono::duration<double> own_start_up = Clock::now() - begin;
  examiner.learned("start_up_s", longest_of_ranks(own_start_up.count(), seat, barrier));
  for (const std::size_t elements : kElements) {
    examiner.looks(check_name, fmt::format("NCCL: an all-reduce of {} elements", elements));
    const std::string wrong = all_reduce(communicator, seat.rank, ranks, elements, memory, host,
                                         stream.get(), seat.patience);
    if (!wrong.empty()) {
      examiner.found(faulty(check_name, wrong,
                            "try NCCL_P2P_DISABLE=1: if sums are right then, see peer-data"));
    }
    if (!barrier.all_of(wrong.empty())) return;  // no rank waits for one that has left
  }
  examiner.found(passed(check_name, fmt::format("{} ranks, 4 bytes to 1 MiB, NCCL {}", ranks,
                                                Communicator::version())));
}

}  // namespace splitbench::cuda

#include "tests/standin/block.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include "tests/standin/fiber.h"
#include "tests/standin/illegal_access.h"

namespace splitbench::standin {
namespace {

enum class State { ready, at_block_barrier, at_warp_barrier, done };

uint3 index_of(unsigned thread, dim3 block) {
  return {thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
}

// One thread of a block.
struct Strand {
  explicit Strand(const std::function<void()>& body) : fiber(body) {}

  Fiber fiber;
  State state = State::ready;
  unsigned lanes = 0;     // that it waits for at a warp barrier
  unsigned exchange = 0;  // which of the two sets of slots is its turn
  sigjmp_buf* landing = nullptr;
};

struct Warp {
  alignas(kExchangeBytes) std::byte slots[2][kWarpThreads][kExchangeBytes];
};

}  // namespace

// The strands of one CPU thread, kept from block to block.
class Team {
 public:
  // False when a thread left its memory; the team is then of no more use.
  bool run(unsigned threads, const std::function<void()>& body);

  Strand& running() { return *strands_[running_]; }
  Warp& warp() { return warps_[running_ / kWarpThreads]; }
  void pause(State state);

 private:
  void resume(unsigned thread);
  bool release_barriers(unsigned threads);
  bool release_warp(unsigned first, unsigned end);

  std::vector<std::unique_ptr<Strand>> strands_;
  std::vector<Warp> warps_ = std::vector<Warp>(kMostThreadsOfBlock / kWarpThreads);
  const std::function<void()>* body_ = nullptr;
  unsigned running_ = 0;
  bool illegal_ = false;
};

void Team::pause(State state) {
  Strand& strand = running();
  strand.state = state;
  strand.landing = landing();
  strand.fiber.pause();
  set_landing(strand.landing);
}

void Team::resume(unsigned thread) {
  running_ = thread;
  threadIdx = index_of(thread, blockDim);
  strands_[thread]->fiber.resume();
  set_landing(nullptr);
}

// Whether the lanes that wait in this warp go on.
bool Team::release_warp(unsigned first, unsigned end) {
  unsigned waiting = 0;
  unsigned done = 0;
  unsigned wanted = 0;
  for (unsigned thread = first; thread < end; ++thread) {
    const Strand& strand = *strands_[thread];
    const unsigned lane = 1U << (thread - first);
    if (strand.state == State::done) done |= lane;
    if (strand.state != State::at_warp_barrier) continue;
    waiting |= lane;
    wanted |= strand.lanes;
  }
  const unsigned present = end - first == kWarpThreads ? ~0U : (1U << (end - first)) - 1;
  if (waiting == 0 || (wanted & present & ~done & ~waiting) != 0) return false;
  for (unsigned thread = first; thread < end; ++thread) {
    Strand& strand = *strands_[thread];
    if (strand.state == State::at_warp_barrier) strand.state = State::ready;
  }
  return true;
}

bool Team::release_barriers(unsigned threads) {
  bool any = false;
  for (unsigned first = 0; first < threads; first += kWarpThreads) {
    any |= release_warp(first, std::min(first + kWarpThreads, threads));
  }
  if (any) return true;
  for (unsigned thread = 0; thread < threads; ++thread) {
    const State state = strands_[thread]->state;
    if (state != State::done && state != State::at_block_barrier) return false;
  }
  for (unsigned thread = 0; thread < threads; ++thread) {
    if (strands_[thread]->state != State::at_block_barrier) continue;
    strands_[thread]->state = State::ready;
    any = true;
  }
  return any;
}

bool Team::run(unsigned threads, const std::function<void()>& body) {
  body_ = &body;
  while (strands_.size() < threads) {
    strands_.push_back(std::make_unique<Strand>([this] {
      if (!runs_within_memory(*body_)) illegal_ = true;
      running().state = State::done;
    }));
  }
  for (unsigned thread = 0; thread < threads; ++thread) strands_[thread]->state = State::ready;
  do {
    for (unsigned thread = 0; thread < threads; ++thread) {
      if (strands_[thread]->state == State::ready) resume(thread);
      if (illegal_) return false;
    }
  } while (release_barriers(threads));
  for (unsigned thread = 0; thread < threads; ++thread) {
    if (strands_[thread]->state == State::done) continue;
    std::fprintf(stderr, "stand-in: the threads of a block wait at different barriers\n");
    std::abort();
  }
  return true;
}

namespace {

thread_local std::unique_ptr<Team> team;

Team& running_team() {
  if (team_at_work != nullptr) return *team_at_work;
  std::fprintf(stderr, "stand-in: threads of a kernel that is listed as independent meet\n");
  std::abort();
}

// Paused fibers cannot be ended: after an illegal access the team stays as it is, for good.
void abandon_team() {
  static auto& abandoned = *new std::vector<std::unique_ptr<Team>>;
  static std::mutex& mutex = *new std::mutex;
  const std::lock_guard lock(mutex);
  abandoned.push_back(std::move(team));
}

bool run_cooperating(unsigned threads, const std::function<void()>& body) {
  if (!team) team = std::make_unique<Team>();
  team_at_work = team.get();
  const bool legal = team->run(threads, body);
  team_at_work = nullptr;
  if (!legal) abandon_team();
  return legal;
}

void run_independent(unsigned threads, const std::function<void()>& body) {
  for (unsigned thread = 0; thread < threads; ++thread) {
    threadIdx = index_of(thread, blockDim);
    body();
  }
}

// body for every block, until one says false.
template <typename Body>
bool for_each_block(dim3 grid, Body body) {
  for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z) {
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y) {
      for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x) {
        if (!body()) return false;
      }
    }
  }
  return true;
}

}  // namespace

bool run_grid(dim3 grid, dim3 block, Threads threads, const std::function<void()>& body) {
  gridDim = grid;
  blockDim = block;
  const unsigned count = block.x * block.y * block.z;
  if (threads == Threads::cooperating) {
    return for_each_block(grid, [&] { return run_cooperating(count, body); });
  }
  return runs_within_memory([&] {
    for_each_block(grid, [&] {
      run_independent(count, body);
      return true;
    });
  });
}

void meet_block() {
  running_team().pause(State::at_block_barrier);
}

void meet_warp(unsigned lanes) {
  Team& here = running_team();
  here.running().lanes = lanes;
  here.pause(State::at_warp_barrier);
}

unsigned lane_of_thread() {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return thread % kWarpThreads;
}

void* exchange_slot(unsigned lane) {
  Team& here = running_team();
  return here.warp().slots[here.running().exchange][lane];
}

void next_exchange() {
  running_team().running().exchange ^= 1U;
}

}  // namespace splitbench::standin

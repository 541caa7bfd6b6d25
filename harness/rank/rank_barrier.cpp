#include "harness/rank/rank_barrier.h"

#include <fmt/format.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <utility>

#include "harness/error.h"

namespace splitbench {
namespace {

using Clock = std::chrono::steady_clock;

void pause_core() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

Clock::time_point deadline_after(Seconds patience) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(patience.value()));
}

void futex_wake_all(std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE, kMostRanks, nullptr,
          nullptr, 0);
}

// Sleeps while the word still has this value, but for 50 ms at most.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value) {
  const timespec at_most{.tv_sec = 0, .tv_nsec = 50'000'000};
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT, value, &at_most, nullptr,
          0);
}

// Patience with whoever is missing; it begins anew with every sign of life.
class Waiting {
 public:
  Waiting(SharedRegion& region, Seconds patience) : region_(region), patience_(patience) {}

  bool is_over(int missing) {
    const std::uint64_t beats = region_.status(missing).beats.load(std::memory_order_relaxed);
    const bool new_one = std::exchange(missing_, missing) != missing;
    if (std::exchange(beats_, beats) != beats || new_one) {
      deadline_ = deadline_after(patience_);
    }
    return Clock::now() > deadline_;
  }

 private:
  SharedRegion& region_;
  Seconds patience_;
  int missing_ = -1;
  std::uint64_t beats_ = 0;
  Clock::time_point deadline_;
};

}  // namespace

RankBarrier::RankBarrier(SharedRegion& region, int rank, Seconds patience, bool yields)
    : region_(&region), rank_(rank), patience_(patience), yields_(yields) {}

int RankBarrier::first_missing() const {
  for (int rank = 0; rank < region_->ranks(); ++rank) {
    if (region_->status(rank).arrivals.load(std::memory_order_acquire) < meetings_) return rank;
  }
  return -1;
}

void RankBarrier::arrive() {
  region_->status(rank_).arrivals.store(++meetings_, std::memory_order_release);
}

void RankBarrier::give_up(int missing) const {
  throw HarnessError(fmt::format("rank {} waited {:g} s for rank {}, which did not arrive", rank_,
                                 patience_.value(), missing));
}

void RankBarrier::meet() {
  constexpr std::uint64_t kSpinsBetweenLooks = 1 << 14;
  arrive();
  Waiting waiting(*region_, patience_);
  for (std::uint64_t spins = 1;; ++spins) {
    const int missing = first_missing();
    if (missing < 0) return;
    if (yields_) {
      sched_yield();
    } else {
      pause_core();
    }
    if (spins % kSpinsBetweenLooks != 0) continue;
    if (waiting.is_over(missing)) give_up(missing);
  }
}

std::string RankBarrier::broadcast(const std::string& from_rank_0) {
  meet_asleep();  // every rank has read what was there before: its orders, or an earlier broadcast
  if (rank_ == 0) region_->put_mail(from_rank_0);
  meet_asleep();
  return region_->mail();
}

bool RankBarrier::all_of(bool mine) {
  region_->times(rank_)[0] = mine ? 1.0 : 0.0;
  meet_asleep();
  bool all = true;
  for (int rank = 0; rank < region_->ranks(); ++rank) all = all && region_->times(rank)[0] != 0.0;
  meet_asleep();
  return all;
}

void RankBarrier::meet_asleep() {
  std::atomic<std::uint32_t>& wake = region_->wake();
  arrive();
  wake.fetch_add(1, std::memory_order_acq_rel);
  futex_wake_all(wake);
  Waiting waiting(*region_, patience_);
  for (;;) {
    const std::uint32_t seen = wake.load(std::memory_order_acquire);
    const int missing = first_missing();
    if (missing < 0) return;
    if (waiting.is_over(missing)) give_up(missing);
    futex_wait(wake, seen);
  }
}

}  // namespace splitbench

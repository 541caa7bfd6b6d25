// Memory that the rank processes of one session and their supervisor share: a memfd, not /dev/shm,
// which is 64 MB in many containers.
//
// Layout: a header with one status a rank (who has arrived where, seen by the supervisor too), a
// mailbox for text from rank 0 to all, a table of times, then data for the backend. Pages cost
// nothing until they are touched.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "protocols/arm.h"

namespace splitbench {

inline constexpr std::size_t kMostRanks = 256;  // on one machine

// What a rank is busy with, for messages about a rank that stopped: a phase, or the arm it runs.
enum class Phase : std::uint32_t { starting, preparing, verifying, between_rounds, arms };
inline constexpr std::uint32_t activity_of(Phase phase) {
  return static_cast<std::uint32_t>(phase);
}
inline constexpr std::uint32_t activity_of(Arm arm) {
  return activity_of(Phase::arms) + static_cast<std::uint32_t>(arm);
}
std::string activity_text(std::uint32_t activity);  // "verifying", "arm split"

// Written by the rank, read by whoever waits for it. One cache line.
struct alignas(64) RankStatus {
  std::atomic<std::uint64_t> arrivals{0};  // barriers reached
  std::atomic<std::uint64_t> beats{0};     // signs of life on the way (harness/rank/heartbeat.h)
  std::atomic<std::uint32_t> activity{activity_of(Phase::starting)};
};

struct alignas(64) RegionHeader {
  std::uint64_t magic = 0;
  std::uint64_t ranks = 0;
  std::uint64_t data_bytes = 0;
  std::atomic<std::uint32_t> wake{0};  // futex of sleeping ranks
  std::atomic<std::uint64_t> mail_bytes{0};
  RankStatus status[kMostRanks];
};

class SharedRegion {
 public:
  static constexpr std::size_t kMailboxBytes = std::size_t{4} << 20;
  static constexpr std::size_t kTimesPerRank = std::size_t{1} << 17;  // doubles

  // Makes the memory. Throws HarnessError.
  static SharedRegion create(int ranks, std::size_t data_bytes);
  // Maps what create() made in another process. Throws HarnessError if it is something else.
  static SharedRegion attach(int fd);

  SharedRegion(SharedRegion&& other) noexcept;
  SharedRegion& operator=(SharedRegion&&) = delete;
  ~SharedRegion();

  int fd() const { return fd_; }
  int ranks() const { return static_cast<int>(header_->ranks); }
  RankStatus& status(int rank) { return header_->status[rank]; }
  std::atomic<std::uint32_t>& wake() { return header_->wake; }

  void put_mail(const std::string& text);
  std::string mail() const;

  std::span<double> times(int rank);  // one rank's column of the table of times
  std::span<std::byte> data();        // 64-byte aligned, zero at first

 private:
  SharedRegion(int fd, std::size_t bytes, RegionHeader* header);

  std::byte* base() const;

  int fd_;
  std::size_t bytes_;
  RegionHeader* header_;
};

}  // namespace splitbench

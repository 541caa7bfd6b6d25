#include "harness/rank/shared_region.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "harness/error.h"

namespace splitbench {
namespace {

constexpr std::uint64_t kMagic = 0x53504c4954423031;  // "SPLITB01"

constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

constexpr std::size_t mailbox_offset() {
  return round_up(sizeof(RegionHeader));
}
constexpr std::size_t times_offset() {
  return mailbox_offset() + SharedRegion::kMailboxBytes;
}
std::size_t data_offset(std::size_t ranks) {
  return times_offset() + ranks * SharedRegion::kTimesPerRank * sizeof(double);
}

[[noreturn]] void fail(const char* what) {
  throw HarnessError(fmt::format("shared memory: {}: {}", what, std::strerror(errno)));
}

RegionHeader* map(int fd, std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) fail("mmap");
  return static_cast<RegionHeader*>(memory);
}

}  // namespace

std::string activity_text(std::uint32_t activity) {
  if (activity >= activity_of(Phase::arms)) {
    return fmt::format("arm {}", name(static_cast<Arm>(activity - activity_of(Phase::arms))));
  }
  switch (static_cast<Phase>(activity)) {
    case Phase::starting:
      return "starting";
    case Phase::preparing:
      return "preparing the operation";
    case Phase::verifying:
      return "verifying results";
    case Phase::between_rounds:
    case Phase::arms:
      break;
  }
  return "between rounds";
}

SharedRegion::SharedRegion(int fd, std::size_t bytes, RegionHeader* header)
    : fd_(fd), bytes_(bytes), header_(header) {}

SharedRegion::SharedRegion(SharedRegion&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      bytes_(other.bytes_),
      header_(std::exchange(other.header_, nullptr)) {}

SharedRegion::~SharedRegion() {
  if (header_ != nullptr) munmap(header_, bytes_);
  if (fd_ >= 0) close(fd_);
}

SharedRegion SharedRegion::create(int ranks, std::size_t data_bytes) {
  if (ranks < 1 || static_cast<std::size_t>(ranks) > kMostRanks) {
    throw HarnessError(
        fmt::format("{} ranks on one machine; 1 to {} are possible", ranks, kMostRanks));
  }
  const std::size_t bytes = data_offset(static_cast<std::size_t>(ranks)) + round_up(data_bytes);
  const int fd = memfd_create("splitbench", MFD_CLOEXEC);
  if (fd < 0) fail("memfd_create");
  SharedRegion region(fd, 0, nullptr);  // owns the descriptor from here on
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) fail("ftruncate");
  region.header_ = map(fd, bytes);
  region.bytes_ = bytes;
  new (region.header_) RegionHeader;
  region.header_->ranks = static_cast<std::uint64_t>(ranks);
  region.header_->data_bytes = round_up(data_bytes);
  region.header_->magic = kMagic;
  return region;
}

SharedRegion SharedRegion::attach(int fd) {
  struct stat info {};
  if (fstat(fd, &info) != 0) fail("fstat");
  const auto bytes = static_cast<std::size_t>(info.st_size);
  if (bytes < data_offset(1)) throw HarnessError("shared memory: too small to be a session's");
  SharedRegion region(fd, bytes, map(fd, bytes));
  const RegionHeader& header = *region.header_;
  if (header.magic != kMagic || header.ranks < 1 || header.ranks > kMostRanks ||
      data_offset(header.ranks) + header.data_bytes != bytes) {
    throw HarnessError("shared memory: not a session of this version");
  }
  return region;
}

std::byte* SharedRegion::base() const {
  return reinterpret_cast<std::byte*>(header_);
}

void SharedRegion::put_mail(const std::string& text) {
  if (text.size() > kMailboxBytes) {
    throw HarnessError(fmt::format("a message of {} bytes does not fit the mailbox", text.size()));
  }
  std::memcpy(base() + mailbox_offset(), text.data(), text.size());
  header_->mail_bytes.store(text.size(), std::memory_order_release);
}

std::string SharedRegion::mail() const {
  const std::size_t size = header_->mail_bytes.load(std::memory_order_acquire);
  return {reinterpret_cast<const char*>(base() + mailbox_offset()), size};
}

std::span<double> SharedRegion::times(int rank) {
  auto* table = reinterpret_cast<double*>(base() + times_offset());
  return {table + static_cast<std::size_t>(rank) * kTimesPerRank, kTimesPerRank};
}

std::span<std::byte> SharedRegion::data() {
  return {base() + data_offset(header_->ranks), header_->data_bytes};
}

}  // namespace splitbench

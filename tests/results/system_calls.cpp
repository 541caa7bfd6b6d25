#include "tests/results/system_calls.h"

#include <sqlite3.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <stdexcept>

namespace {

struct Counts {
  std::size_t writes = 0;
  std::size_t syncs = 0;
  std::size_t writes_after_last_sync = 0;
};
Counts counts;
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
std::size_t writes_left = kNoLimit;

ssize_t watched_pwrite(int file, const void* bytes, std::size_t size, off_t offset) {
  if (writes_left == 0) {
    errno = ENOSPC;
    return -1;
  }
  if (writes_left != kNoLimit) --writes_left;
  ++counts.writes;
  ++counts.writes_after_last_sync;
  return ::pwrite(file, bytes, size, offset);
}

int watched_sync(long call, int file) {
  ++counts.syncs;
  counts.writes_after_last_sync = 0;
  return static_cast<int>(::syscall(call, file));
}

void watch_writes() {
  sqlite3_vfs* system = sqlite3_vfs_find(nullptr);
  int replaced = 0;
  for (const char* name : {"pwrite", "pwrite64"}) {
    if (system->xGetSystemCall(system, name) == nullptr) continue;
    const auto call = reinterpret_cast<sqlite3_syscall_ptr>(watched_pwrite);
    if (system->xSetSystemCall(system, name, call) == SQLITE_OK) ++replaced;
  }
  if (replaced == 0) throw std::runtime_error("this SQLite has no pwrite to replace");
}

}  // namespace

// Visible, so that SQLite's library finds these before the C library's.
extern "C" __attribute__((visibility("default"))) int fdatasync(int file) {
  return watched_sync(SYS_fdatasync, file);
}
extern "C" __attribute__((visibility("default"))) int fsync(int file) {
  return watched_sync(SYS_fsync, file);
}

namespace splitbench::test {

SystemCallLog::SystemCallLog() {
  watch_writes();
  counts = {};
}
std::size_t SystemCallLog::writes() const {
  return counts.writes;
}
std::size_t SystemCallLog::syncs() const {
  return counts.syncs;
}
std::size_t SystemCallLog::writes_after_last_sync() const {
  return counts.writes_after_last_sync;
}

FullDisk::FullDisk(std::size_t writes) {
  watch_writes();
  writes_left = writes;
}
FullDisk::~FullDisk() {
  writes_left = kNoLimit;
}

}  // namespace splitbench::test

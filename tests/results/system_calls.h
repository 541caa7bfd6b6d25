// What SQLite asks of the system in this process: watched, or made to fail.
//
// Writes go through SQLite's own hook for tests (sqlite3_vfs::xSetSystemCall); syncs have none, and
// are caught because the program's fdatasync and fsync come before those of the C library.
#pragma once

#include <cstddef>

namespace splitbench::test {

// Counts while it lives. One at a time.
class SystemCallLog {
 public:
  SystemCallLog();

  std::size_t writes() const;
  std::size_t syncs() const;
  std::size_t writes_after_last_sync() const;
};

// While it lives, every write after the first `writes` fails with ENOSPC. One at a time.
class FullDisk {
 public:
  explicit FullDisk(std::size_t writes);
  ~FullDisk();
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
};

}  // namespace splitbench::test

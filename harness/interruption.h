// SIGINT and SIGTERM as something to wait for, while it lives; as usual before and after.
#pragma once

#include <csignal>

namespace splitbench {

class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  int fd() const { return fd_; }  // readable once a signal came
  // The signal that came, now or earlier; 0 if none did.
  int signal();
  // The mask that child processes must be given.
  const sigset_t& former_mask() const { return former_; }

 private:
  int fd_ = -1;
  int signal_ = 0;
  sigset_t former_{};
};

}  // namespace splitbench

#include "harness/interruption.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include "harness/backend.h"

namespace splitbench {

Interruption::Interruption() {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGINT);
  sigaddset(&mask, SIGTERM);
  sigaddset(&mask, SIGHUP);
  sigprocmask(SIG_BLOCK, &mask, &former_);
  fd_ = signalfd(-1, &mask, SFD_NONBLOCK | SFD_CLOEXEC);
  if (fd_ < 0) {
    sigprocmask(SIG_SETMASK, &former_, nullptr);
    throw HarnessError("signals cannot be watched here");
  }
}

Interruption::~Interruption() {
  signal();  // what came last is dealt with, not delivered again
  close(fd_);
  sigprocmask(SIG_SETMASK, &former_, nullptr);
}

int Interruption::signal() {
  signalfd_siginfo info{};
  while (read(fd_, &info, sizeof info) == sizeof info) {
    if (signal_ == 0) signal_ = static_cast<int>(info.ssi_signo);
  }
  return signal_;
}

}  // namespace splitbench

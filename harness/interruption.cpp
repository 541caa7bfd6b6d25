#include "harness/interruption.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>

#include "harness/error.h"

namespace splitbench {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

// What a signal handler may touch.
std::atomic<int> first_signal{0};
std::array<int, 2> pipe_ends{-1, -1};

void on_signal(int number) {
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, number)) return;
  [[maybe_unused]] const ssize_t written = write(pipe_ends[1], "!", 1);
}

}  // namespace

Interruption::Interruption() {
  first_signal = 0;
  if (pipe2(pipe_ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    throw HarnessError("signals cannot be watched here: no pipe");
  }
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);  // a second one ends the program
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &former_[i]);
}

Interruption::~Interruption() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &former_[i], nullptr);
  for (int& end : pipe_ends) {
    close(end);
    end = -1;
  }
}

int Interruption::fd() const {
  return pipe_ends[0];
}

int Interruption::signal() const {
  return first_signal;
}

}  // namespace splitbench

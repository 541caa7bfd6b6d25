#include "harness/process/interruption.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <limits>

#include "harness/error.h"

namespace splitbench {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

// Later than any clock: nothing has come.
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// What a signal handler may touch.
std::atomic<int> first_signal{0};
std::atomic<std::int64_t> first_ns{kNever};
std::array<int, 2> pipe_ends{-1, -1};

constexpr std::int64_t kTogetherNs = 1'000'000'000;

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void on_signal(int number) {
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, number)) {
    if (now_ns() - first_ns < kTogetherNs) return;
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  first_ns = now_ns();
  [[maybe_unused]] const ssize_t written = write(pipe_ends[1], "!", 1);
}

}  // namespace

Interruption::Interruption() {
  first_signal = 0;
  first_ns = kNever;
  if (pipe2(pipe_ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    throw HarnessError("signals cannot be watched here: no pipe");
  }
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
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

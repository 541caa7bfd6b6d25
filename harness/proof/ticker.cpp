#include "harness/proof/ticker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace splitbench::proof {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Ticker::Ticker(bool quiet)
    : quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      begin_(std::chrono::steady_clock::now()) {}

void Ticker::begin(const std::string& study, long steps) {
  study_ = study;
  steps_ = steps;
  done_ = 0;
  begin_ = std::chrono::steady_clock::now();
  show();
}

void Ticker::step() {
  if (const int signal = interruption_.signal()) throw Interrupted(signal);
  const long before = 100 * done_ / steps_;
  ++done_;
  if (100 * done_ / steps_ != before) show();
}

void Ticker::end() {
  if (quiet_) return;
  fmt::print(stderr, "{}{}: {} runs in {:.1f} s\n", terminal_ ? "\r\x1b[K" : "", study_, done_,
             seconds_since(begin_));
}

void Ticker::show() const {
  if (quiet_ || !terminal_) return;
  const double spent = seconds_since(begin_);
  const std::string left =
      done_ == 0
          ? ""
          : fmt::format(", about {:.0f} s to go",
                        spent * static_cast<double>(steps_ - done_) / static_cast<double>(done_));
  fmt::print(stderr, "\r\x1b[K{}: {} %{}", study_, 100 * done_ / steps_, left);
  std::fflush(stderr);
}

}  // namespace splitbench::proof

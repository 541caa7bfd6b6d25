#include "harness/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "harness/cli/say.h"
#include "harness/cli/screen_text.h"

namespace splitbench::cli {
namespace {

constexpr int kBarWidth = 30;

}  // namespace

Progress::Progress(bool quiet)
    : quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      begin_(std::chrono::steady_clock::now()) {}

void Progress::begun(const RunRecord& run) {
  rounds_ = static_cast<int>(run.protocol.sampling.rounds);
  if (quiet_) return;
  say(fmt::format("run {}: protocol {} on {} {} device(s)\n", run.id, run.protocol.name,
                  run.node.devices.size(), run.node.backend));
}

void Progress::preparing(const std::string& doing) {
  if (doing == doing_) return;
  doing_ = doing;
  show();
  if (!quiet_ && !terminal_ && session_ == 0) say(doing + "\n");
}

void Progress::noted(const std::string& note) {
  if (quiet_) return;
  clear();
  say(note + "\n");
  show();
}

void Progress::calibrated(const RunRecord& run, Seconds estimated_total) {
  estimated_ = estimated_total;
  rounds_ = static_cast<int>(run.protocol.sampling.rounds);
  if (!quiet_ && !terminal_) {
    say(fmt::format("results verified; about {:.0f} s in all\n", estimated_total.value()));
  }
}

void Progress::session_begins(int session, int sessions) {
  session_ = session;
  sessions_ = sessions;
  show();
}

void Progress::round_stored(int session, int round) {
  ++rounds_stored_;
  show();
  if (!quiet_ && !terminal_ && round + 1 == rounds_) {
    say(fmt::format("session {} of {} stored{}\n", session + 1, sessions_, time_to_go()));
  }
}

std::string Progress::time_to_go() const {
  if (!estimated_) return "";
  const double elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const double share = static_cast<double>(rounds_stored_) / (sessions_ * rounds_);
  // The estimate at first; what was seen, more and more.
  const double by_pace = share > 0 ? elapsed / share * (1 - share) : estimated_->value();
  const double by_estimate = std::max(0.0, estimated_->value() - elapsed);
  return fmt::format(", about {:.0f} s to go", share * by_pace + (1 - share) * by_estimate);
}

void Progress::show() const {
  if (quiet_ || !terminal_) return;
  const int filled = kBarWidth * rounds_stored_ / std::max(1, sessions_ * rounds_);
  const std::string state = estimated_ ? time_to_go() : ", " + doing_;
  draw(fmt::format("\r\033[K[{:<{}}] session {} of {}{}",
                   std::string(static_cast<std::size_t>(filled), '#'), kBarWidth, session_ + 1,
                   sessions_, shown_lines(state)));
}

void Progress::clear() const {
  if (quiet_ || !terminal_) return;
  draw("\r\033[K");
}

}  // namespace splitbench::cli

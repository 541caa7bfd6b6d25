#include "harness/supervisor/supervisor.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "harness/rank/shared_region.h"
#include "harness/supervisor/health_process.h"
#include "harness/supervisor/rank_handle.h"

namespace splitbench {
namespace {

using Clock = std::chrono::steady_clock;

// How long a rank may take to end that closed its pipe in the middle.
constexpr std::chrono::duration<double> kGrace{2};

class SessionSupervisor {
 public:
  SessionSupervisor(const SessionNeeds& needs, const SessionOrder& order,
                    const SessionEvents& events, const Interruption& interruption,
                    const std::string& program)
      : order_(order),
        events_(events),
        interruption_(interruption),
        region_(SharedRegion::create(needs.processes, needs.shared_bytes)) {
    region_.put_mail(encode(order).dump());
    for (int rank = 0; rank < region_.ranks(); ++rank) {
      ranks_.emplace_back(program, rank, needs.environment, region_.fd());
    }
    if (!needs.watched.empty()) {
      health_.emplace(program, order.module, needs.watched, needs.environment);
    }
  }

  SessionEnd run() {
    heard();
    while (!over_) {
      wait();
      if (!calibrated_ && events_.preparing) events_.preparing(phase());
      if (interruption_.signal() != 0) {
        end_.interrupted = true;
        break;
      }
      for (int rank = 0; rank < region_.ranks() && !over_; ++rank) listen(rank);
      for (int rank = 0; rank < region_.ranks() && !over_; ++rank) see_off(rank);
      over_ = over_ || all_ended();
      if (ranks_moved()) heard();
      if (!over_ && silence() > patience() * 1.5) {
        fail(fmt::format("{}: no sign for {:.1f} s", slowest(), silence().count()));
      }
    }
    for (RankHandle& rank : ranks_) rank.process().end();
    return std::move(end_);
  }

 private:
  using Duration = std::chrono::duration<double>;

  Duration patience() const { return Duration(order_.patience.value()); }

  // A rank gives up on another one first, and says whom it waited for; what is done about a longer
  // silence is for when none can.
  void heard() { last_sign_ = Clock::now(); }
  Duration silence() const { return Clock::now() - last_sign_; }

  // Whether any rank met another one or gave a sign of life since this was asked last: long work is
  // no hang.
  bool ranks_moved() {
    std::uint64_t signs = 0;
    for (int rank = 0; rank < region_.ranks(); ++rank) {
      signs += region_.status(rank).arrivals + region_.status(rank).beats;
    }
    return std::exchange(signs_, signs) != signs;
  }

  void fail(std::string fault) {
    end_.fault = std::move(fault);
    over_ = true;
  }

  // " (verifying)"
  std::string doing(int rank) {
    return fmt::format(
        " ({})", activity_text(region_.status(rank).activity.load(std::memory_order_relaxed)));
  }

  std::string at_work(int rank) { return fmt::format("rank {}{}", rank, doing(rank)); }

  std::string phase() {
    const std::uint32_t activity = region_.status(0).activity.load(std::memory_order_relaxed);
    return activity < activity_of(Phase::between_rounds) ? activity_text(activity) : "warming up";
  }

  // How far a rank has come: in meetings, then in what it is busy with, then in signs of life.
  auto progress(int rank) {
    const RankStatus& status = region_.status(rank);
    return std::tuple(status.arrivals.load(), status.activity.load(), status.beats.load());
  }

  // Who is behind the others; where nobody is, any of them may be the one that hangs.
  std::string slowest() {
    int least = 0;
    bool level = true;
    for (int rank = 1; rank < region_.ranks(); ++rank) {
      level = level && progress(rank) == progress(0);
      if (progress(rank) < progress(least)) least = rank;
    }
    return level && region_.ranks() > 1 ? "every rank" + doing(least) : at_work(least);
  }

  void wait() {
    std::vector<pollfd> watched{{.fd = interruption_.fd(), .events = POLLIN, .revents = 0}};
    for (const RankHandle& rank : ranks_) {
      watched.push_back({.fd = rank.report_fd(), .events = POLLIN, .revents = 0});
    }
    const bool leaving = std::any_of(ranks_.begin(), ranks_.end(), [](RankHandle& rank) {
      return rank.report_fd() < 0 && !rank.process().has_ended();
    });
    // Seldom once there are times to disturb, but often enough to know when the last sign came.
    const int longest = leaving ? 2 : calibrated_ ? 60'000 : 200;
    const int between_looks = static_cast<int>(std::clamp(patience().count() * 100, 1.0, 60'000.0));
    poll(watched.data(), watched.size(), std::min(longest, between_looks));
  }

  void listen(int rank) {
    RankHandle& process = ranks_[static_cast<std::size_t>(rank)];
    if (process.report_fd() < 0) return;
    pollfd ready{.fd = process.report_fd(), .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, 0) <= 0) return;
    std::vector<char> bytes(std::size_t{1} << 16);
    const ssize_t count = read(process.report_fd(), bytes.data(), bytes.size());
    if (count < 0) return;
    if (count == 0) {
      process.close_report();
      return;
    }
    process.reader().add(bytes.data(), static_cast<std::size_t>(count));
    understand(rank);
  }

  void understand(int rank) {
    while (!over_) {
      const std::optional<Report> report = next_report(rank);
      if (!report) return;
      heard();
      std::visit([&](const auto& message) { answer(rank, message); }, *report);
      heard();  // no rank could give a sign while it waited for that
    }
  }

  // Nothing where none is whole yet, or where it is nonsense, which ends the session.
  std::optional<Report> next_report(int rank) {
    try {
      const auto message = ranks_[static_cast<std::size_t>(rank)].reader().next();
      if (!message) return std::nullopt;
      Report report = decode_report(*message);
      if (rank != 0 && !std::holds_alternative<Failed>(report)) {
        throw HarnessError("this is not for it to say");
      }
      return report;
    } catch (const std::exception& error) {
      fail(fmt::format("{} sent nonsense: {}", at_work(rank), error.what()));
      return std::nullopt;
    }
  }

  // What the events throw ends the session and passes on.
  void answer(int rank, const Failed& failed) {
    fail(fmt::format("{}: {}", at_work(rank), failed.message));
  }
  void answer(int, const Joined&) { start_up_ = Seconds(Duration(Clock::now() - began_).count()); }
  void answer(int, const Ready& ready) {
    SessionRecord record = ready.session;
    record.start_up = start_up_;
    events_.ready(record);
  }
  void answer(int rank, const Calibrated& calibrated) {
    calibrated_ = true;
    first_health_ = before_ = look();
    tell(rank, Follow{events_.calibrated(calibrated)});
  }
  void answer(int rank, const RoundFinished& finished) {
    events_.round(judged(finished.round));
    tell(rank, Stored{});
  }
  void answer(int, const Done& done) {
    end_.record = done.session;
    end_.record.devices_before = first_health_;
    end_.record.start_up = start_up_;
    done_ = true;
  }

  // While all ranks wait, so that looking disturbs nobody.
  std::vector<DeviceHealth> look() {
    if (!health_) return {};
    std::vector<pid_t> ours;
    for (const RankHandle& rank : ranks_) ours.push_back(rank.process().pid());
    return health_->look(ours);
  }

  // With the health of the devices at its end, and whether it counts.
  RoundRecord judged(RoundRecord round) {
    if (health_) round.health = look();
    round.void_reason = outside_cause(first_health_, before_, round.health);
    before_ = round.health;
    return round;
  }

  void tell(int rank, const Reply& reply) { ranks_[static_cast<std::size_t>(rank)].tell(reply); }

  // A rank whose pipe has closed is about to end. Rank 0 may after it has said that all is done,
  // and any rank with status 0; else it is a fault. Giving devices back may take a while.
  void see_off(int rank) {
    RankHandle& handle = ranks_[static_cast<std::size_t>(rank)];
    if (handle.report_fd() >= 0) return;
    if (!handle.process().has_ended()) {
      if (Clock::now() - handle.closed_at() > (done_ ? patience() : kGrace)) {
        fail(fmt::format("{} closed its pipe but does not end", at_work(rank)));
      }
      return;
    }
    const std::string how = handle.process().how_it_ended();
    if (!how.empty() || (rank == 0 && !done_)) {
      fail(fmt::format("{} {}", at_work(rank), how.empty() ? "left in the middle" : how));
    }
  }

  bool all_ended() {
    return std::all_of(ranks_.begin(), ranks_.end(), [](RankHandle& rank) {
      return rank.report_fd() < 0 && rank.process().has_ended();
    });
  }

  const SessionOrder& order_;
  const SessionEvents& events_;
  const Interruption& interruption_;
  SharedRegion region_;
  std::vector<RankHandle> ranks_;
  std::optional<HealthProcess> health_;  // where the backend asks for one
  std::vector<DeviceHealth> first_health_;
  std::vector<DeviceHealth> before_;
  Clock::time_point began_ = Clock::now();
  std::optional<Seconds> start_up_;  // until all ranks had joined
  Clock::time_point last_sign_;
  std::uint64_t signs_ = 0;  // as last seen
  bool over_ = false;
  bool calibrated_ = false;
  bool done_ = false;
  SessionEnd end_;
};

}  // namespace

SessionEnd supervise(const SessionNeeds& needs, const SessionOrder& order,
                     const SessionEvents& events, const Interruption& interruption,
                     const std::string& program) {
  std::signal(SIGPIPE, SIG_IGN);
  return SessionSupervisor(needs, order, events, interruption, program).run();
}

}  // namespace splitbench

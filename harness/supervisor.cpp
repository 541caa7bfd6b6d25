#include "harness/supervisor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/channel.h"
#include "harness/rank_process.h"
#include "harness/shared_region.h"
#include "results/record_json.h"

namespace splitbench {
namespace {

using Clock = std::chrono::steady_clock;

// A file descriptor with an owner, above those that rank processes are given.
class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OwnedFd() { reset(); }
  void reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

OwnedFd lifted(int fd) {
  constexpr int kAboveRankFds = 16;
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, kAboveRankFds);
  if (high < 0) throw HarnessError(fmt::format("file descriptors: {}", std::strerror(errno)));
  return OwnedFd(high);
}

struct Pipe {
  OwnedFd read;
  OwnedFd write;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw HarnessError(fmt::format("pipe: {}", std::strerror(errno)));
  }
  const OwnedFd read(ends[0]);
  const OwnedFd write(ends[1]);
  return {.read = lifted(read.get()), .write = lifted(write.get())};
}

struct DestroyActions {
  void operator()(posix_spawn_file_actions_t* actions) const {
    posix_spawn_file_actions_destroy(actions);
  }
};
struct DestroyAttributes {
  void operator()(posix_spawnattr_t* attributes) const { posix_spawnattr_destroy(attributes); }
};

// A rank process; ended, and its exit status collected, when this object goes.
class RankProcess {
 public:
  RankProcess(const std::string& program, int rank, const std::vector<std::string>& environment,
              int region_fd) {
    Pipe report = make_pipe();
    Pipe orders = make_pipe();
    start(program, rank, environment, {region_fd, report.write.get(), orders.read.get()});
    report_ = std::move(report.read);
    orders_ = std::move(orders.write);
  }
  RankProcess(RankProcess&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        status_(other.status_),
        report_(std::move(other.report_)),
        orders_(std::move(other.orders_)),
        reader_(std::move(other.reader_)) {}
  RankProcess& operator=(RankProcess&&) = delete;
  ~RankProcess() { end(); }

  int report_fd() const { return report_.get(); }
  FrameReader& reader() { return reader_; }
  void tell(const nlohmann::json& message) const { send_frame(orders_.get(), message); }

  // Waits for an end that is near: the pipe has closed.
  void finish() {
    report_.reset();
    collect();
  }

  void end() {
    if (pid_ > 0) kill(pid_, SIGKILL);
    collect();
  }

  // "was ended by signal 9 (Killed)"; empty after a clean end.
  std::string how_it_ended() const {
    if (WIFSIGNALED(status_)) {
      return fmt::format("was ended by signal {} ({})", WTERMSIG(status_),
                         strsignal(WTERMSIG(status_)));
    }
    if (WEXITSTATUS(status_) != 0) return fmt::format("ended with status {}", WEXITSTATUS(status_));
    return {};
  }

 private:
  void start(const std::string& program, int rank, const std::vector<std::string>& environment,
             const std::vector<int>& fds) {
    posix_spawn_file_actions_t raw_actions;
    posix_spawn_file_actions_init(&raw_actions);
    const std::unique_ptr<posix_spawn_file_actions_t, DestroyActions> actions(&raw_actions);
    posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(actions.get(), STDERR_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(actions.get(), fds[0], kRegionFd);
    posix_spawn_file_actions_adddup2(actions.get(), fds[1], kReportFd);
    posix_spawn_file_actions_adddup2(actions.get(), fds[2], kOrdersFd);

    // Its own process group: an interrupt from the terminal reaches the supervisor, which decides.
    posix_spawnattr_t raw_attributes;
    posix_spawnattr_init(&raw_attributes);
    const std::unique_ptr<posix_spawnattr_t, DestroyAttributes> attributes(&raw_attributes);
    posix_spawnattr_setflags(attributes.get(), POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(attributes.get(), 0);

    std::vector<std::string> arguments{"splitbench",         "rank",     "--rank",
                                       std::to_string(rank), "--parent", std::to_string(getpid())};
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    std::vector<std::string> added = environment;
    std::vector<char*> envp;
    for (std::string& entry : added) envp.push_back(entry.data());
    for (char** entry = environ; *entry != nullptr; ++entry) envp.push_back(*entry);
    envp.push_back(nullptr);
    const int error = posix_spawn(&pid_, program.c_str(), actions.get(), attributes.get(),
                                  argv.data(), envp.data());
    if (error != 0) {
      pid_ = -1;
      throw HarnessError(
          fmt::format("rank {} could not be started: {}", rank, std::strerror(error)));
    }
  }

  void collect() {
    if (pid_ <= 0) return;
    while (waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }

  pid_t pid_ = -1;
  int status_ = 0;
  OwnedFd report_;
  OwnedFd orders_;
  FrameReader reader_;
};

class SessionSupervisor {
 public:
  SessionSupervisor(const Backend& backend, const SessionOrder& order, const SessionEvents& events,
                    const Interruption& interruption, const std::string& program)
      : order_(order),
        events_(events),
        interruption_(interruption),
        region_(SharedRegion::create(backend.processes(order.request),
                                     backend.shared_bytes(order.protocol))) {
    region_.put_mail(to_json(order).dump());
    for (int rank = 0; rank < region_.ranks(); ++rank) {
      ranks_.emplace_back(program, rank, backend.environment(), region_.fd());
    }
  }

  SessionEnd run() {
    heard();
    while (!over_) {
      wait();
      if (interruption_.signal() != 0) {
        end_.interrupted = true;
        break;
      }
      for (int rank = 0; rank < region_.ranks() && !over_; ++rank) listen(rank);
      if (over_ || Clock::now() <= deadline_) continue;
      if (ranks_moved()) {
        heard();
      } else {
        fail(fmt::format("{}: no sign for {:g} s", slowest_rank(), order_.patience.value() * 1.5));
      }
    }
    for (RankProcess& rank : ranks_) rank.end();
    return std::move(end_);
  }

 private:
  // A rank gives up on another one first, and says whom it waited for; this is for when none can.
  void heard() {
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(order_.patience.value() * 1.5));
  }

  // Whether any rank met another one since this was asked last: a long round is no hang.
  bool ranks_moved() {
    std::uint64_t arrivals = 0;
    for (int rank = 0; rank < region_.ranks(); ++rank) arrivals += region_.status(rank).arrivals;
    return std::exchange(arrivals_, arrivals) != arrivals;
  }

  void fail(std::string fault) {
    end_.fault = std::move(fault);
    over_ = true;
  }

  std::string at_work(int rank) {
    return fmt::format(
        "rank {} ({})", rank,
        activity_text(region_.status(rank).activity.load(std::memory_order_relaxed)));
  }

  std::string slowest_rank() {
    int slowest = 0;
    for (int rank = 1; rank < region_.ranks(); ++rank) {
      if (region_.status(rank).arrivals.load() < region_.status(slowest).arrivals.load()) {
        slowest = rank;
      }
    }
    return at_work(slowest);
  }

  void wait() {
    std::vector<pollfd> watched{{.fd = interruption_.fd(), .events = POLLIN, .revents = 0}};
    for (const RankProcess& rank : ranks_) {
      watched.push_back({.fd = rank.report_fd(), .events = POLLIN, .revents = 0});
    }
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    poll(watched.data(), watched.size(),
         static_cast<int>(std::clamp<std::int64_t>(left + 1, 0, 60'000)));
  }

  void listen(int rank) {
    RankProcess& process = ranks_[static_cast<std::size_t>(rank)];
    if (process.report_fd() < 0) return;
    pollfd ready{.fd = process.report_fd(), .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, 0) <= 0) return;
    std::vector<char> bytes(std::size_t{1} << 16);
    const ssize_t count = read(process.report_fd(), bytes.data(), bytes.size());
    if (count < 0) return;
    if (count == 0) {
      closed(rank);
      return;
    }
    process.reader().add(bytes.data(), static_cast<std::size_t>(count));
    understand(rank);
  }

  void understand(int rank) {
    while (!over_) {
      const auto message = next_message(rank);
      if (!message) return;
      heard();
      answer(rank, *message);
    }
  }

  // Nothing where none is whole yet, or where it is nonsense, which ends the session.
  std::optional<nlohmann::json> next_message(int rank) {
    try {
      auto message = ranks_[static_cast<std::size_t>(rank)].reader().next();
      if (message) check_message(rank, *message);
      return message;
    } catch (const std::exception& error) {
      fail(fmt::format("{} sent nonsense: {}", at_work(rank), error.what()));
      return std::nullopt;
    }
  }

  // Throws what is wrong with it.
  static void check_message(int rank, const nlohmann::json& message) {
    const auto type = message.at("type").get<std::string>();
    if (type == "failed") {
      message.at("message").get_ref<const std::string&>();
      return;
    }
    if (rank != 0) throw HarnessError(fmt::format("'{}' is not for it to say", type));
    if (type == "ready" || type == "done") {
      session_from_json(message.at("session"));
    } else if (type == "calibrated") {
      step_cost(message.at("costs"));
    } else if (type == "round") {
      round_from_json(message.at("round"));
    } else {
      throw HarnessError(fmt::format("'{}' is no message", type));
    }
  }

  // What the events throw ends the session and passes on.
  void answer(int rank, const nlohmann::json& message) {
    const auto type = message.at("type").get<std::string>();
    const RankProcess& process = ranks_[static_cast<std::size_t>(rank)];
    if (type == "failed") {
      fail(fmt::format("{}: {}", at_work(rank), message.at("message").get<std::string>()));
    } else if (type == "ready") {
      events_.ready(session_from_json(message.at("session")));
    } else if (type == "calibrated") {
      process.tell(to_json(events_.calibrated(step_cost(message.at("costs")))));
    } else if (type == "round") {
      events_.round(round_from_json(message.at("round")));
      process.tell({{"type", "stored"}});
    } else {
      end_.record = session_from_json(message.at("session"));
      done_ = true;
    }
  }

  // The cost of a step as rank 0 measured it; a step it did not see costs nothing.
  static std::function<Seconds(const Step&)> step_cost(const nlohmann::json& costs) {
    std::map<std::tuple<std::size_t, std::string, double, bool>, Seconds> table;
    for (const auto& row : costs) {
      table[{row.at(0).get<std::size_t>(), row.at(1).get<std::string>(), row.at(2).get<double>(),
             row.at(3).get<bool>()}] = Seconds(row.at(4).get<double>());
    }
    return [table = std::move(table)](const Step& step) {
      const auto known =
          table.find({step.point, std::string(name(step.arm)),
                      step.message ? step.message->value() : 0.0, step.device.has_value()});
      return known == table.end() ? Seconds(0) : known->second;
    };
  }

  // Rank 0 may end after it has said that all is done, and any rank with status 0; else it is a
  // fault.
  void closed(int rank) {
    RankProcess& process = ranks_[static_cast<std::size_t>(rank)];
    process.finish();
    const std::string how = process.how_it_ended();
    if (!how.empty() || (rank == 0 && !done_)) {
      fail(fmt::format("{} {}", at_work(rank), how.empty() ? "left in the middle" : how));
      return;
    }
    over_ = std::all_of(ranks_.begin(), ranks_.end(),
                        [](const RankProcess& other) { return other.report_fd() < 0; });
  }

  const SessionOrder& order_;
  const SessionEvents& events_;
  const Interruption& interruption_;
  SharedRegion region_;
  std::vector<RankProcess> ranks_;
  Clock::time_point deadline_;
  std::uint64_t arrivals_ = 0;  // as last seen
  bool over_ = false;
  bool done_ = false;
  SessionEnd end_;
};

}  // namespace

SessionEnd supervise(const Backend& backend, const SessionOrder& order, const SessionEvents& events,
                     const Interruption& interruption, const std::string& program) {
  std::signal(SIGPIPE, SIG_IGN);
  return SessionSupervisor(backend, order, events, interruption, program).run();
}

}  // namespace splitbench

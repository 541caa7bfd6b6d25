#include "harness/process/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "harness/error.h"

namespace splitbench {
namespace {

using Clock = std::chrono::steady_clock;

struct DestroyActions {
  void operator()(posix_spawn_file_actions_t* actions) const {
    posix_spawn_file_actions_destroy(actions);
  }
};
struct DestroyAttributes {
  void operator()(posix_spawnattr_t* attributes) const { posix_spawnattr_destroy(attributes); }
};

// The same file under a number that no child is given.
FileDescriptor lifted(int fd) {
  constexpr int kAboveThoseOfChildren = 16;
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, kAboveThoseOfChildren);
  if (high < 0) throw HarnessError(fmt::format("file descriptors: {}", std::strerror(errno)));
  return FileDescriptor(high);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  return all;
}

}  // namespace

ChildProcess::ChildProcess(const ChildPlan& plan) {
  posix_spawn_file_actions_t raw_actions;
  posix_spawn_file_actions_init(&raw_actions);
  const std::unique_ptr<posix_spawn_file_actions_t, DestroyActions> actions(&raw_actions);
  posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(actions.get(), STDERR_FILENO, STDOUT_FILENO);
  std::vector<FileDescriptor> given;
  for (const auto& [ours, its] : plan.descriptors) {
    given.push_back(lifted(ours));
    posix_spawn_file_actions_adddup2(actions.get(), given.back().get(), its);
  }

  posix_spawnattr_t raw_attributes;
  posix_spawnattr_init(&raw_attributes);
  const std::unique_ptr<posix_spawnattr_t, DestroyAttributes> attributes(&raw_attributes);
  posix_spawnattr_setflags(attributes.get(), POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(attributes.get(), 0);

  std::vector<std::string> arguments = plan.arguments;
  std::vector<char*> argv = pointers(arguments);
  argv.push_back(nullptr);
  std::vector<std::string> environment = plan.environment;
  std::vector<char*> envp = pointers(environment);
  for (char** entry = environ; *entry != nullptr; ++entry) envp.push_back(*entry);
  envp.push_back(nullptr);
  const int error = posix_spawn(&pid_, plan.program.c_str(), actions.get(), attributes.get(),
                                argv.data(), envp.data());
  if (error != 0) {
    pid_ = -1;
    throw HarnessError(
        fmt::format("{} could not be started: {}", plan.program, std::strerror(error)));
  }
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), status_(other.status_) {}

bool ChildProcess::has_ended() {
  if (pid_ <= 0) return true;
  const pid_t ended = waitpid(pid_, &status_, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return false;
  pid_ = -1;
  return true;
}

void ChildProcess::end() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(2);
  while (!has_ended() && Clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string ChildProcess::how_it_ended() const {
  if (WIFSIGNALED(status_)) {
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status_),
                       strsignal(WTERMSIG(status_)));
  }
  if (WEXITSTATUS(status_) != 0) return fmt::format("ended with status {}", WEXITSTATUS(status_));
  return {};
}

bool end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return getppid() == parent;  // it may have gone before the line above
}

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw HarnessError(fmt::format("pipe: {}", std::strerror(errno)));
  }
  return {.read = FileDescriptor(ends[0]), .write = FileDescriptor(ends[1])};
}

}  // namespace splitbench

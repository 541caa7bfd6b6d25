// splitbench-standin COMMAND...: runs a command with the stand-in libraries first in its library
// path, and passes on signals and its exit code. SPLITBENCH_STANDIN=FILE.json names the scenario; a
// file that is wrong is exit code 2, with where, before anything runs.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "tests/standin/scenario.h"
#include "tests/standin/shared_state.h"

namespace {

namespace fs = std::filesystem;
using namespace splitbench::standin;

constexpr int kUsage = 2;
constexpr int kCannotRun = 127;  // as shells say it

volatile std::sig_atomic_t child = 0;

void pass_on(int signal) {
  if (child > 0) kill(child, signal);
}

// The run's directory; gone with all in it at the end.
class StateDirectory {
 public:
  StateDirectory() {
    std::string name = fs::temp_directory_path() / "splitbench-standin-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error(name + ": " + std::strerror(errno));
    }
    path_ = name;
    create_state(path_);
  }
  ~StateDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  StateDirectory(const StateDirectory&) = delete;
  StateDirectory& operator=(const StateDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// With the fault old-driver those of an older interface come first.
std::string libraries() {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const fs::path folder = program.parent_path() / SPLITBENCH_STANDIN_LIBRARIES;
  if (find_fault("old-driver", -1) == nullptr) return folder;
  return (folder / "old-driver").string() + ":" + folder.string();
}

void set_environment(const StateDirectory& state) {
  std::string path = libraries();
  const char* before = std::getenv("LD_LIBRARY_PATH");
  if (before != nullptr && *before != '\0') path += std::string(":") + before;
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  setenv(kStateVariable, state.path().c_str(), 1);
}

constexpr int kPassedOn[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// For as long as nobody is there to pass them on to.
sigset_t block_signals() {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  for (const int signal : kPassedOn) sigaddset(&blocked, signal);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  return before;
}

[[noreturn]] void become(char** command, const sigset_t& mask) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // it does not stay behind
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  execvp(command[0], command);
  std::fprintf(stderr, "splitbench-standin: %s: %s\n", command[0], std::strerror(errno));
  _exit(kCannotRun);
}

int run(char** command) {
  const StateDirectory state;
  set_environment(state);
  const sigset_t mask = block_signals();
  child = fork();
  if (child < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (child == 0) become(command, mask);
  for (const int signal : kPassedOn) {
    struct sigaction action {};
    action.sa_handler = pass_on;
    sigaction(signal, &action, nullptr);
  }
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: splitbench-standin COMMAND [ARGUMENT...]\n");
    return kUsage;
  }
  try {
    if (const char* file = std::getenv("SPLITBENCH_STANDIN")) read_scenario(file);
    return run(arguments + 1);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "splitbench-standin: %s\n", error.what());
    return kUsage;
  }
}

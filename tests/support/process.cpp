#include "tests/support/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>

namespace splitbench::test {
namespace {

struct ProcessState {
  char state = '?';
  pid_t parent = 0;
};

// From /proc/PID/stat: "PID (name) STATE PARENT ..."; nothing where the process is gone.
std::optional<ProcessState> state_of(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos || line.size() < name_end + 4) return std::nullopt;
  return ProcessState{.state = line[name_end + 2],
                      .parent = static_cast<pid_t>(std::stol(line.substr(name_end + 4)))};
}

}  // namespace

Program::Program(const std::vector<std::string>& arguments)
    : Program(SPLITBENCH_PROGRAM, arguments) {}

Program::Program(const std::string& path, const std::vector<std::string>& arguments)
    : out_(std::tmpfile()), err_(std::tmpfile()) {
  if (!out_ || !err_) throw std::runtime_error("no temporary file for the program's output");
  std::vector<char*> argv{const_cast<char*>(path.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ == 0) {
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    dup2(fileno(out_.get()), STDOUT_FILENO);
    dup2(fileno(err_.get()), STDERR_FILENO);
    execv(path.c_str(), argv.data());
    _exit(127);
  }
}

Program::~Program() {
  if (pid_ <= 0) return;
  signal(SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void Program::signal(int number) const {
  kill(pid_, number);
}

ProcessResult Program::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = contents(out_),
          .err = contents(err_)};
}

std::string Program::contents(const File& file) {
  std::rewind(file.get());
  std::string text;
  char buffer[4096];
  std::size_t count = 0;
  while ((count = std::fread(buffer, 1, sizeof buffer, file.get())) > 0) text.append(buffer, count);
  return text;
}

std::vector<pid_t> Program::children() const {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto pid = static_cast<pid_t>(std::stol(name));
    const auto process = state_of(pid);
    if (process && process->parent == pid_ && process->state != 'Z') found.push_back(pid);
  }
  std::sort(found.begin(), found.end());
  return found;
}

ProcessResult run_splitbench(const std::vector<std::string>& arguments) {
  return Program(arguments).wait();
}

bool is_running(pid_t pid) {
  const auto process = state_of(pid);
  return process && process->state != 'Z';
}

}  // namespace splitbench::test

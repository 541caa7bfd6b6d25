#include "tests/support/child.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <utility>

namespace splitbench::test {
namespace {

constexpr int kThrew = 99;
constexpr uid_t kNobody = 65534;

int result_of(const std::function<int()>& body) {
  try {
    return body();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "child: %s\n", error.what());
    return kThrew;
  }
}

}  // namespace

Child::Child(const std::function<int()>& body) : pid_(::fork()) {
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ == 0) ::_exit(result_of(body));
}

Child::~Child() {
  if (pid_ <= 0) return;
  kill();
  wait();
}

Child::Child(Child&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}

int Child::wait() {
  int status = 0;
  ::waitpid(std::exchange(pid_, -1), &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void Child::kill() const {
  ::kill(pid_, SIGKILL);
}

void limit_file_size(std::size_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) throw std::runtime_error("no limit on file size");
}

void become_unprivileged() {
  if (::geteuid() != 0) return;
  if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) {
    throw std::runtime_error("root cannot be given up");
  }
}

}  // namespace splitbench::test

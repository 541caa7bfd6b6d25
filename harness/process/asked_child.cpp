#include "harness/process/asked_child.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iostream>
#include <iterator>
#include <optional>
#include <string_view>

#include "harness/error.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(fd, text.data(), text.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// A file in memory, to be read from its beginning: a child that reads nothing blocks nobody.
FileDescriptor file_of(const std::string& text) {
  FileDescriptor file(memfd_create("splitbench question", MFD_CLOEXEC));
  if (file.get() < 0 || !write_all(file.get(), text) || lseek(file.get(), 0, SEEK_SET) != 0) {
    throw HarnessError(fmt::format("memory for a question: {}", std::strerror(errno)));
  }
  return file;
}

class Child {
 public:
  explicit Child(const ChildQuestion& question)
      : Child(question, file_of(question.document.dump()), make_pipe()) {}

  std::string listen(const std::function<bool(const Json&)>& hear) {
    heard();
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
      if (left.count() <= 0) return fmt::format("said nothing for {:g} s", silence_.value());
      pollfd ready{.fd = output_.get(), .events = POLLIN, .revents = 0};
      const auto longest = static_cast<int>(std::min<std::int64_t>(left.count(), 60'000));
      if (poll(&ready, 1, longest) <= 0) continue;
      char bytes[4096];
      const ssize_t count = read(output_.get(), bytes, sizeof bytes);
      if (count == 0) return ending();
      if (count > 0) text_.append(bytes, static_cast<std::size_t>(count));
      if (const auto end = understand(hear)) return *end;
    }
  }

 private:
  Child(const ChildQuestion& question, const FileDescriptor& input, Pipe output)
      : silence_(question.silence),
        output_(std::move(output.read)),
        process_(plan(question, input.get(), output.write.get())) {}

  static ChildPlan plan(const ChildQuestion& question, int input, int output) {
    ChildPlan plan{
        .program = question.program,
        .arguments = {"splitbench", question.command, "--parent", std::to_string(getpid())},
        .environment = question.environment,
        .descriptors = question.descriptors};
    plan.descriptors.push_back({.ours = input, .its = STDIN_FILENO});
    plan.descriptors.push_back({.ours = output, .its = STDOUT_FILENO});
    return plan;
  }

  void heard() {
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(silence_.value()));
  }

  // How it is over, where it is.
  std::optional<std::string> understand(const std::function<bool(const Json&)>& hear) {
    for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
      heard();
      try {
        if (hear(Json::parse(text_.substr(0, end)))) return std::string();
      } catch (const std::exception& error) {
        return fmt::format("sent nonsense ({})", error.what());
      }
      text_.erase(0, end + 1);
    }
    return std::nullopt;
  }

  std::string ending() {
    process_.end();
    const std::string how = process_.how_it_ended();
    return how.empty() ? "left without an answer" : how;
  }

  Seconds silence_;
  Clock::time_point deadline_;
  std::string text_;
  FileDescriptor output_;
  ChildProcess process_;
};

}  // namespace

std::string listen(const ChildQuestion& question, const std::function<bool(const Json&)>& hear) {
  return Child(question).listen(hear);
}

Questioner::Questioner(pid_t parent) {
  if (parent != 0 && !end_with(parent)) throw HarnessError("who asked is gone");
  answers_ = FileDescriptor(dup(STDOUT_FILENO));
  dup2(STDERR_FILENO, STDOUT_FILENO);
  question_ = Json::parse(std::string(std::istreambuf_iterator<char>(std::cin), {}));
}

void Questioner::say(const Json& line) const {
  write_all(answers_.get(), line.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n");
}

}  // namespace splitbench

#include "harness/process/asked_child.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iostream>
#include <iterator>
#include <string_view>

#include "harness/error.h"
#include "harness/process/listening.h"

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

Clock::duration duration_of(Seconds seconds) {
  return std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(seconds.value()));
}

class Child {
 public:
  explicit Child(const ChildQuestion& question)
      : Child(question, file_of(question.document.dump()), make_pipe()) {}

  ChildEnd listen(const std::function<bool(const Json&)>& hear) {
    heard();
    std::string nonsense;
    const Heard all = listen_to(output_.get(), until_, [&](std::string_view bytes) {
      text_.append(bytes);
      return understand(hear, nonsense);
    });
    if (!nonsense.empty()) return {.how = ChildEnd::How::broken, .words = nonsense};
    if (all == Heard::all) return {};
    return all == Heard::end ? ending() : silence();
  }

 private:
  Child(const ChildQuestion& question, const FileDescriptor& input, Pipe output)
      : silence_(question.silence),
        whole_until_(question.until.value_or(Clock::time_point::max())),
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
    last_ = Clock::now();
    until_ = std::min(last_ + duration_of(silence_), whole_until_);
  }

  // Whether it is over: by the last line, or by `nonsense`.
  bool understand(const std::function<bool(const Json&)>& hear, std::string& nonsense) {
    for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
      heard();
      try {
        if (hear(Json::parse(text_.substr(0, end)))) return true;
      } catch (const std::exception& error) {
        nonsense = fmt::format("sent nonsense ({})", error.what());
        return true;
      }
      text_.erase(0, end + 1);
    }
    return false;
  }

  // One that talked a moment ago only lacked time.
  ChildEnd silence() const {
    constexpr double kShareOfAHang = 1.0 / 3;
    const Seconds silent(std::chrono::duration<double>(until_ - last_).count());
    if (silent < kShareOfAHang * silence_) {
      return {.how = ChildEnd::How::late, .words = "ran out of time"};
    }
    const std::string seconds = silent < Seconds(10) ? fmt::format("{:.2g}", silent.value())
                                                     : fmt::format("{:.0f}", silent.value());
    return {.how = ChildEnd::How::silent, .words = "said nothing for " + seconds + " s"};
  }

  ChildEnd ending() {
    process_.end();
    const std::string how = process_.how_it_ended();
    return {.how = ChildEnd::How::broken, .words = how.empty() ? "left without an answer" : how};
  }

  Seconds silence_;
  Clock::time_point whole_until_;
  Clock::time_point last_;
  Clock::time_point until_;
  std::string text_;
  FileDescriptor output_;
  ChildProcess process_;
};

}  // namespace

ChildEnd listen(const ChildQuestion& question, const std::function<bool(const Json&)>& hear) {
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

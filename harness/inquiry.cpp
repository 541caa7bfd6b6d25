#include "harness/inquiry.h"

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

#include "harness/child_process.h"
#include "harness/module.h"
#include "harness/survey_json.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr const char* kMendLibrary =
    "repair or leave out the library named here; 'splitbench list backends' asks again";

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
  FileDescriptor file(memfd_create("splitbench inquiry", MFD_CLOEXEC));
  if (file.get() < 0 || !write_all(file.get(), text) || lseek(file.get(), 0, SEEK_SET) != 0) {
    throw HarnessError(fmt::format("memory for an inquiry: {}", std::strerror(errno)));
  }
  return file;
}

// One child, until it has answered.
class Child {
 public:
  Child(const std::filesystem::path& module, const SurveyRequest& request, const Inquiry& inquiry)
      : Child(module, inquiry, file_of(question(module, request)), make_pipe()) {}

  Survey answer() {
    while (!survey_) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
      if (left.count() <= 0) {
        return failed(fmt::format("said nothing for {:g} s", inquiry_.deadline.value()));
      }
      pollfd ready{.fd = output_.get(), .events = POLLIN, .revents = 0};
      if (poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000))) <= 0) {
        continue;
      }
      char bytes[4096];
      const ssize_t count = read(output_.get(), bytes, sizeof bytes);
      if (count == 0) return failed(ending());
      if (count > 0) heard({bytes, static_cast<std::size_t>(count)});
    }
    return *std::move(survey_);
  }

 private:
  Child(const std::filesystem::path& module, const Inquiry& inquiry, const FileDescriptor& input,
        Pipe output)
      : inquiry_(inquiry),
        name_(module.filename().string()),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(inquiry.deadline.value()))),
        output_(std::move(output.read)),
        process_({.program = inquiry.program,
                  .arguments = {"splitbench", "inquiry", "--parent", std::to_string(getpid())},
                  .environment = {},
                  .descriptors = {{.ours = input.get(), .its = STDIN_FILENO},
                                  {.ours = output.write.get(), .its = STDOUT_FILENO}}}) {}

  static std::string question(const std::filesystem::path& module, const SurveyRequest& request) {
    Json document = to_json(request);
    document["module"] = module.string();
    return document.dump();
  }

  void heard(std::string_view bytes) {
    text_ += bytes;
    for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
      understand(text_.substr(0, end));
      text_.erase(0, end + 1);
    }
  }

  void understand(const std::string& line) {
    try {
      const Json message = Json::parse(line);
      if (message.contains("doing")) {
        doing_ = message["doing"].get<std::string>();
      } else {
        survey_ = survey_from_json(message.at("survey"));
      }
    } catch (const std::exception& error) {
      survey_ = failed(fmt::format("sent nonsense ({})", error.what()));
    }
  }

  std::string ending() {
    process_.end();
    const std::string how = process_.how_it_ended();
    return how.empty() ? "left without an answer" : how;
  }

  Survey failed(const std::string& how) const {
    Survey survey;
    survey.missing =
        fmt::format("{}: the process that was to ask it {} while {}", name_, how, doing_);
    survey.mend = kMendLibrary;
    return survey;
  }

  const Inquiry& inquiry_;
  std::string name_;
  Clock::time_point deadline_;
  std::string text_;
  std::string doing_ = "starting";
  std::optional<Survey> survey_;
  FileDescriptor output_;
  ChildProcess process_;
};

Survey survey(const Json& question, const Doing& doing) {
  try {
    const std::filesystem::path module = question.at("module").get<std::string>();
    doing("loading " + module.filename().string());
    const Backend& backend = load_module(module);
    doing("asking for devices");
    return backend.survey(survey_request_from_json(question), doing);
  } catch (const CannotRunHere& error) {
    Survey none;
    none.missing = error.reason();
    none.mend = error.mend();
    return none;
  } catch (const std::exception& error) {
    Survey none;
    none.missing = error.what();
    none.mend = kMendLibrary;
    return none;
  }
}

}  // namespace

Survey ask(const std::filesystem::path& module, const SurveyRequest& request,
           const Inquiry& inquiry) {
  return Child(module, request, inquiry).answer();
}

int run_inquiry_process(pid_t parent) {
  if (parent != 0 && !end_with(parent)) return 5;
  // What libraries print themselves goes to standard error.
  const FileDescriptor answers(dup(STDOUT_FILENO));
  dup2(STDERR_FILENO, STDOUT_FILENO);
  const auto write_line = [&](const Json& message) {
    write_all(answers.get(), message.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n");
  };
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  const Survey answer = survey(Json::parse(text), [&](const std::string& what) {
    write_line({{"doing", what}});
  });
  write_line({{"survey", to_json(answer)}});
  return 0;
}

}  // namespace splitbench

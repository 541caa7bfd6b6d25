#include "harness/cli/rerun.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "harness/error.h"
#include "harness/process/child_process.h"
#include "harness/process/executable.h"
#include "model/invalid_input.h"

namespace splitbench::cli {
namespace {

constexpr std::array kReplaced{"--out", "--store", "--format", "--confirms", "--parent"};

bool is_replaced(const std::string& argument) {
  return std::any_of(kReplaced.begin(), kReplaced.end(), [&](const std::string& option) {
    return argument == option || argument.rfind(option + "=", 0) == 0;
  });
}

// What the child says until its end; the first signal is passed on to it.
std::string everything(const FileDescriptor& output, const ChildProcess& child,
                       const Interruption& interruption) {
  std::string text;
  std::array<char, 65536> buffer{};
  std::array<pollfd, 2> ready{{{.fd = output.get(), .events = POLLIN, .revents = 0},
                               {.fd = interruption.fd(), .events = POLLIN, .revents = 0}}};
  for (;;) {
    if (::poll(ready.data(), ready.size(), -1) <= 0) continue;
    if (ready[1].revents != 0) {
      ::kill(child.pid(), interruption.signal());
      ready[1].fd = -1;  // not looked at any more
    }
    if (ready[0].revents == 0) continue;
    const ssize_t count = ::read(output.get(), buffer.data(), buffer.size());
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::vector<std::string> rerun_arguments(const Rerun& request, pid_t parent) {
  const std::vector<std::string>& command = request.command;
  if (command.size() < 2 || command[1] != "run") {
    throw InvalidInput("", "the run to be confirmed was not made by 'splitbench run'");
  }
  std::vector<std::string> arguments{"splitbench", "run"};
  for (std::size_t i = 2; i < command.size(); ++i) {
    if (!is_replaced(command[i])) {
      arguments.push_back(command[i]);
    } else if (command[i].find('=') == std::string::npos) {
      ++i;  // its value
    }
  }
  arguments.insert(arguments.end(),
                   {"--store", request.store.string(), "--format", "json", "--confirms",
                    request.confirms, "--parent", std::to_string(parent)});
  return arguments;
}

std::optional<ResultView> rerun(const Rerun& request, const Interruption& interruption) {
  Pipe output = make_pipe();
  ChildProcess child({.program = kThisProgram,
                      .arguments = rerun_arguments(request, ::getpid()),
                      .environment = {},
                      .descriptors = {{output.write.get(), STDOUT_FILENO}}});
  output.write.reset();
  const std::string text = everything(output.read, child, interruption);
  while (!child.has_ended()) ::usleep(1000);
  if (interruption.signal() != 0) return std::nullopt;
  if (text.empty()) {
    throw HarnessError("the run that was to confirm gave no result; it " + child.how_it_ended());
  }
  return result_view(text, "the run that was to confirm");
}

}  // namespace splitbench::cli

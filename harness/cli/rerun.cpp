#include "harness/cli/rerun.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "harness/error.h"
#include "harness/process/child_process.h"
#include "harness/process/executable.h"
#include "model/invalid_input.h"

namespace splitbench::cli {
namespace {

constexpr std::array kReplaced{"--out", "--store", "--format"};

bool is_replaced(const std::string& argument) {
  return std::any_of(kReplaced.begin(), kReplaced.end(), [&](const std::string& option) {
    return argument == option || argument.rfind(option + "=", 0) == 0;
  });
}

std::string everything(const FileDescriptor& from) {
  std::string text;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = ::read(from.get(), buffer.data(), buffer.size());
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

std::vector<std::string> rerun_arguments(const std::vector<std::string>& command,
                                         const std::filesystem::path& store) {
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
  arguments.insert(arguments.end(), {"--store", store.string(), "--format", "json"});
  return arguments;
}

ResultView rerun(const std::vector<std::string>& command, const std::filesystem::path& store) {
  Pipe output = make_pipe();
  ChildProcess child({.program = kThisProgram,
                      .arguments = rerun_arguments(command, store),
                      .environment = {},
                      .descriptors = {{output.write.get(), STDOUT_FILENO}}});
  output.write.reset();
  const std::string text = everything(output.read);
  while (!child.has_ended()) ::usleep(1000);
  if (text.empty()) {
    throw HarnessError("the run that was to confirm gave no result; it " + child.how_it_ended());
  }
  return result_view(text, "the run that was to confirm");
}

}  // namespace splitbench::cli

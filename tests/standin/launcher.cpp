// splitbench-standin COMMAND...: becomes the command, with the stand-in libraries first in its
// library path: signals and the exit code are the command's own. SPLITBENCH_STANDIN=FILE.json names
// the scenario; a file that is wrong is exit code 2, with where, before anything runs.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/standin/fault.h"
#include "tests/standin/scenario.h"
#include "tests/standin/shared_state.h"

namespace {

namespace fs = std::filesystem;
using namespace splitbench::standin;

constexpr int kWrong = 2;
constexpr int kCannotRun = 127;  // as shells say it

constexpr const char* kUsage =
    "usage: splitbench-standin COMMAND [ARGUMENT...]\n"
    "Runs a command on CPU libraries that take the place of CUDA's.\n"
    "SPLITBENCH_STANDIN=FILE.json says what the devices are like; docs/stand-ins.md has its "
    "keys.\n";

// With the fault old-driver those of an older interface come first.
std::string libraries() {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const fs::path folder = program.parent_path() / SPLITBENCH_STANDIN_LIBRARIES;
  if (find_fault("old-driver", -1) == nullptr) return folder;
  return (folder / "old-driver").string() + ":" + folder.string();
}

void set_environment() {
  std::string path = libraries();
  const char* before = std::getenv("LD_LIBRARY_PATH");
  if (before != nullptr && *before != '\0') path += std::string(":") + before;
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  setenv(kStateVariable, make_state().c_str(), 1);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs(kUsage, stderr);
    return kWrong;
  }
  if (arguments[1] == std::string_view("--help")) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  try {
    if (const char* file = std::getenv("SPLITBENCH_STANDIN")) read_scenario(file);
    set_environment();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "splitbench-standin: %s\n", error.what());
    return kWrong;
  }
  execvp(arguments[1], arguments + 1);
  std::fprintf(stderr, "splitbench-standin: %s: %s\n", arguments[1], std::strerror(errno));
  return kCannotRun;
}

#include "tests/standin/test/scenario_run.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "tests/standin/shared_state.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::standin {
namespace {

// Ends without the test program's own end: what it holds belongs to the parent.
[[noreturn]] void run_child(int rank, const std::function<void(int)>& body) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  body(rank);
  std::fflush(nullptr);
  _exit(testing::Test::HasFailure() ? 1 : 0);
}

}  // namespace

void run_ranks(const std::string& scenario, int ranks, const std::function<void(int)>& body) {
  const test::TemporaryDirectory directory;
  const std::string file = directory / "scenario.json";
  std::ofstream(file) << scenario;
  setenv("SPLITBENCH_STANDIN", file.c_str(), 1);
  setenv(kStateVariable, make_state().c_str(), 1);
  std::fflush(nullptr);
  std::vector<pid_t> children;
  for (int rank = 0; rank < ranks; ++rank) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) run_child(rank, body);
    children.push_back(child);
  }
  for (int rank = 0; rank < ranks; ++rank) {
    int status = 0;
    ASSERT_EQ(waitpid(children[static_cast<std::size_t>(rank)], &status, 0),
              children[static_cast<std::size_t>(rank)]);
    EXPECT_EQ(status, 0) << "rank " << rank;
  }
}

void run_alone(const std::string& scenario, const std::function<void()>& body) {
  run_ranks(scenario, 1, [&](int) { body(); });
}

}  // namespace splitbench::standin

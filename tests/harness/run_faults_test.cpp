// What a run suffers: ranks that die or stop, a killed supervisor, interrupts, a full disk.
// Finished rounds stay, the rank is named, and the next run works.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/harness/small_run.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

using std::chrono::milliseconds;

void pause(int ms) {
  std::this_thread::sleep_for(milliseconds(ms));
}

// Rank processes of a run, once both have been started. Their order is that of their start.
std::vector<pid_t> ranks_of(const Program& program) {
  for (int i = 0; i < 15000; ++i) {
    std::vector<pid_t> found = program.children();
    if (found.size() == 2) return found;
    pause(2);
  }
  return {};
}

void wait_for_rounds(const std::filesystem::path& store, int rounds) {
  for (int i = 0; i < 1000; ++i) {
    const auto runs = stored_runs(store);
    if (!runs.empty() && runs.back()["rounds"].get<int>() >= rounds) return;
    pause(20);
  }
  FAIL() << "no rounds came";
}

void expect_partial(const ProcessResult& result, const std::filesystem::path& store) {
  const auto document = nlohmann::json::parse(result.out);
  EXPECT_EQ(document["outcome"], "partial");
  if (schemas_can_be_checked()) {
    EXPECT_EQ(schema_errors(document, "results/schema/result.schema.json"), "");
  }
  const auto runs = stored_runs(store);
  ASSERT_FALSE(runs.empty());
  EXPECT_EQ(runs.back()["outcome"], "partial");
}

void expect_next_run_works(const std::filesystem::path& store) {
  const ProcessResult next = run_splitbench(small_run(store, {"--sessions", "2", "--rounds", "1"}));
  EXPECT_EQ(next.exit_code, 0) << next.err;
}

TEST(RunFaults, AKilledRankIsNamedInEveryPhase) {
  const TemporaryDirectory directory;
  const auto store = directory / "s.db";
  // From just started, over preparing, verifying and warming up, into the rounds.
  for (const int delay_ms : {0, 5, 20, 60, 150, 300, 600}) {
    for (const std::size_t rank : {std::size_t{0}, std::size_t{1}}) {
      Program run(long_run(store));
      const std::vector<pid_t> ranks = ranks_of(run);
      ASSERT_EQ(ranks.size(), 2U);
      pause(delay_ms);
      kill(ranks[rank], SIGKILL);
      const ProcessResult result = run.wait();
      EXPECT_EQ(result.exit_code, 5) << result.err;
      EXPECT_NE(result.err.find("rank " + std::to_string(rank) + " ("), std::string::npos)
          << delay_ms << " ms: " << result.err;
      EXPECT_NE(result.err.find("signal 9"), std::string::npos) << result.err;
      expect_partial(result, store);
    }
  }
  expect_next_run_works(store);
}

TEST(RunFaults, AStoppedRankIsNamedWithinTheDeadline) {
  const TemporaryDirectory directory;
  const auto store = directory / "s.db";
  Program run(long_run(store, {"--deadline", "1s"}));
  const std::vector<pid_t> ranks = ranks_of(run);
  ASSERT_EQ(ranks.size(), 2U);
  wait_for_rounds(store, 3);
  kill(ranks[1], SIGSTOP);
  const ProcessResult result = run.wait();
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_NE(result.err.find("rank 1"), std::string::npos) << result.err;
  expect_partial(result, store);
  EXPECT_GE(stored_runs(store).back()["rounds"].get<int>(), 3);
  EXPECT_FALSE(is_running(ranks[1])) << "a stopped rank was left behind";
  expect_next_run_works(store);
}

TEST(RunFaults, InterruptsEndWithAValidPartialResult) {
  const TemporaryDirectory directory;
  const auto store = directory / "s.db";
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    Program run(long_run(store));
    ASSERT_EQ(ranks_of(run).size(), 2U);
    const auto before = stored_runs(store).size();
    wait_for_rounds(store, before == 0 ? 1 : 0);
    pause(300);
    run.signal(signal);
    const ProcessResult result = run.wait();
    EXPECT_EQ(result.exit_code, code) << result.err;
    expect_partial(result, store);
  }
  expect_next_run_works(store);
}

// A terminal sends one to the program and one to its launcher, which passes it on.
TEST(RunFaults, ASecondInterruptAtOnceChangesNothing) {
  const TemporaryDirectory directory;
  const auto store = directory / "s.db";
  for (const int ms_apart : {0, 5, 50, 80}) {
    Program run(long_run(store));
    ASSERT_EQ(ranks_of(run).size(), 2U);
    pause(300);
    run.signal(SIGINT);
    pause(ms_apart);
    run.signal(SIGINT);
    const ProcessResult result = run.wait();
    EXPECT_EQ(result.exit_code, 130) << result.err;
    expect_partial(result, store);
  }
}

TEST(RunFaults, AKilledSupervisorTakesItsRanksAlongAndLosesNoRound) {
  const TemporaryDirectory directory;
  const auto store = directory / "s.db";
  Program run(long_run(store));
  const std::vector<pid_t> ranks = ranks_of(run);
  ASSERT_EQ(ranks.size(), 2U);
  wait_for_rounds(store, 5);
  const int rounds_seen = stored_runs(store).back()["rounds"].get<int>();
  run.signal(SIGKILL);
  EXPECT_EQ(run.wait().exit_code, 128 + SIGKILL);
  for (int i = 0; i < 500 && (is_running(ranks[0]) || is_running(ranks[1])); ++i) pause(10);
  EXPECT_FALSE(is_running(ranks[0]));
  EXPECT_FALSE(is_running(ranks[1]));
  const auto runs = stored_runs(store);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0]["outcome"], "partial");
  EXPECT_GE(runs[0]["rounds"].get<int>(), rounds_seen);
  expect_next_run_works(store);
}

TEST(RunFaults, AFullDiskEndsTheRunAndKeepsWhatWasStored) {
  if (geteuid() != 0) GTEST_SKIP() << "mounting a small file system takes root";
  const TemporaryDirectory directory;
  const std::string mount = directory.path().string();
  std::string command =
      "mount -t tmpfs -o size=1500k none " + mount + " || exit 77; '" + SPLITBENCH_PROGRAM "'";
  for (const std::string& argument : long_run(mount + "/s.db")) command += " " + argument;
  // The list is printed behind the document: the namespace takes the file system with it.
  command += "; code=$?; '" SPLITBENCH_PROGRAM "' list runs --store " + mount + "/s.db; exit $code";
  const ProcessResult result = Program("/usr/bin/unshare", {"-m", "sh", "-c", command}).wait();
  if (result.exit_code == 77 || result.exit_code == 1) {
    GTEST_SKIP() << "no mount namespace here: " << result.err;
  }
  EXPECT_EQ(result.exit_code, 5) << result.err;
  EXPECT_NE(result.err.find("s.db"), std::string::npos) << result.err;
  EXPECT_NE(result.out.find("partial"), std::string::npos) << result.out.substr(0, 2000);
}

}  // namespace
}  // namespace splitbench::test

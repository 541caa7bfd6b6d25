// gate --confirm measures again: a real run on CPU cores beside stored ones whose numbers are
// written here. Nothing that is asserted depends on what the real run finds.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "results/store.h"
#include "tests/harness/small_run.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::ordered_json;

// A day in seconds: a million times what the real run can take.
constexpr double kJudged = 1e5;
constexpr double kEarlier = 1e-9;

// `run` under another name, with T_N and T1 so long, without noise, and a speedup of `speedup`.
StoredRun with_numbers(StoredRun run, const std::string& id, const std::string& started_utc,
                       double tn, double speedup) {
  Json document = Json::parse(*run.document);
  document["id"] = run.run.id = id;
  document["provenance"]["started_utc"] = run.run.provenance.started_utc = started_utc;
  Json& measured = document["points"][0]["measured"];
  measured["tn_s"] = tn;
  measured["tn_interval_s"] = {tn, tn};
  measured["speedup"] = {{"value", speedup}, {"interval", {speedup, speedup}}};
  document["points"][0]["comparison"]["aa"]["least_effect"] = 0.01;
  run.document = document.dump();
  return run;
}

class GateConfirm : public testing::Test {
 protected:
  // A run that was made here, with numbers a million times worse than those of nine nights before.
  void SetUp() override {
    const ProcessResult run = run_splitbench(small_run(file, {"--sessions", "2", "--rounds", "1"}));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    id = Json::parse(run.out)["id"].get<std::string>();
    Store store = Store::open(file, Store::Mode::existing);
    const StoredRun made = store.load_run(id);
    store.remove_run(id);
    for (int night = 1; night <= 9; ++night) {
      const std::string date = "2020-01-0" + std::to_string(night) + "T00:00:00Z";
      store.add_run(with_numbers(made, "night-" + std::to_string(night), date, kEarlier, 1e9));
    }
    judged = with_numbers(made, id, "2020-01-10T00:00:00Z", kJudged, 1e-5);
    store.add_run(judged);
  }
  // What will be carried out again.
  void command_of_the_judged(const std::vector<std::string>& arguments) {
    Json document = Json::parse(*judged.document);
    document["provenance"]["command"] = {"splitbench"};
    for (const std::string& one : arguments) document["provenance"]["command"].push_back(one);
    Store::open(file, Store::Mode::existing).finish_run(id, RunOutcome::complete, document.dump());
  }
  // The id of the run that confirms, once it has a round.
  std::string confirming() const {
    for (int i = 0; i < 3000; ++i) {
      const auto runs = stored_runs(file);
      if (runs.size() == 11U && runs.back()["rounds"].get<int>() > 0) return runs.back()["id"];
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return "";
  }
  ProcessResult gate(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"gate", "--format", "json", "--store", file.string()};
    all.insert(all.end(), more.begin(), more.end());
    return run_splitbench(all);
  }

  TemporaryDirectory directory;
  std::filesystem::path file = directory / "s.db";
  std::string id;
  StoredRun judged;
};

TEST_F(GateConfirm, MeasuresAgainAndKeepsTheRunApart) {
  const ProcessResult once = gate();
  EXPECT_EQ(once.exit_code, 0) << once.out << "1 of the last 3";

  const ProcessResult twice = gate({"--confirm"});
  // A regression, or too noisy to say: 2 of the last 3 runs are as bad, whatever the machine does.
  EXPECT_TRUE(twice.exit_code == 1 || twice.exit_code == 4) << twice.out << twice.err;
  const auto document = Json::parse(twice.out);
  EXPECT_EQ(document["outcome"], twice.exit_code == 1 ? "regression" : "unknown");
  EXPECT_TRUE(document["provisional"].get<bool>());
  EXPECT_EQ(document["run"]["id"], id);
  const auto again = document["confirmation"]["id"].get<std::string>();
  EXPECT_NE(again, id);

  const Store store = Store::open(file, Store::Mode::existing);
  EXPECT_EQ(store.newest_run().value().id, id) << "what confirms is of no series";
  ASSERT_EQ(store.load_run(again).marks.size(), 1U);
  EXPECT_EQ(store.load_run(again).marks[0].kind, MarkKind::confirms);
  EXPECT_EQ(store.load_run(again).marks[0].reason, id);
  EXPECT_EQ(gate().out, once.out) << "the night's own answer stays";
}

// From its beginning on it says that it confirms: however it ends, it is in no series.
TEST_F(GateConfirm, ASignalEndsTheOtherRunTooWhichStaysApart) {
  command_of_the_judged(long_run(directory / "elsewhere.db"));
  const auto command = [this] {
    return std::vector<std::string>{"gate", "--confirm", "--store", file.string()};
  };
  for (const auto& [signal, code] :
       {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}, std::pair{SIGKILL, 128 + SIGKILL}}) {
    Program program(command());
    const std::string again = confirming();
    const std::vector<pid_t> runs = program.children();
    ASSERT_EQ(runs.size(), 1U);
    program.signal(signal);
    const ProcessResult result = program.wait();
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_EQ(result.out, "");
    while (is_running(runs[0])) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Store store = Store::open(file, Store::Mode::existing);
    const StoredRun left = store.load_run(again);
    EXPECT_EQ(left.outcome, RunOutcome::partial);
    ASSERT_EQ(left.marks.size(), 1U);
    EXPECT_EQ(left.marks[0].kind, MarkKind::confirms);
    EXPECT_EQ(store.newest_run().value().id, id);
    store.remove_run(again);
  }
}

}  // namespace
}  // namespace splitbench::test

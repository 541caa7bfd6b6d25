// gate --confirm measures again: a real run on CPU cores beside earlier ones whose numbers are
// written so that it falls short.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "results/store.h"
#include "tests/harness/small_run.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::ordered_json;

// Runs like this one, before it, with times of a tenth and a speedup ten times as high.
void store_better_runs(Store& store, const StoredRun& run, int count) {
  for (int i = 0; i < count; ++i) {
    StoredRun better = run;
    better.run.id = "better-" + std::to_string(i);
    better.run.provenance.started_utc = "2020-01-0" + std::to_string(1 + i % 9) + "T00:00:00Z";
    Json document = Json::parse(*run.document);
    document["id"] = better.run.id;
    document["provenance"]["started_utc"] = better.run.provenance.started_utc;
    Json& measured = document["points"][0]["measured"];
    measured["tn_s"] = measured["tn_s"].get<double>() / 10.0;
    for (Json& end : measured["tn_interval_s"]) end = end.get<double>() / 10.0;
    Json& speedup = measured["speedup"];
    speedup["value"] = speedup["value"].get<double>() * 10.0;
    for (Json& end : speedup["interval"]) end = end.get<double>() * 10.0;
    better.document = document.dump();
    store.add_run(better);
  }
}

TEST(GateConfirm, MeasuresAgainAndKeepsTheRunApart) {
  const TemporaryDirectory directory;
  const auto file = directory / "s.db";
  const ProcessResult run = run_splitbench(small_run(
      file, {"--sessions", "2", "--rounds", "1", "--out", (directory / "o.json").string()}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto id = Json::parse(run.out)["id"].get<std::string>();
  {
    Store store = Store::open(file, Store::Mode::existing);
    store_better_runs(store, store.load_run(id), 9);
  }
  const std::vector<std::string> gate{"gate",          "--store",  file.string(),
                                      "--most-spread", "0.9",      "--most-time-spread",
                                      "0.9",           "--format", "json"};
  const ProcessResult once = run_splitbench(gate);
  EXPECT_EQ(once.exit_code, 0) << once.out << "1 of the last 3";

  std::vector<std::string> confirming = gate;
  confirming.emplace_back("--confirm");
  const ProcessResult twice = run_splitbench(confirming);
  ASSERT_EQ(twice.exit_code, 1) << twice.out << twice.err;
  const auto document = Json::parse(twice.out);
  EXPECT_TRUE(document["provisional"].get<bool>());
  EXPECT_EQ(document["run"]["id"], id);
  const auto again = document["confirmation"]["id"].get<std::string>();
  EXPECT_NE(again, id);

  const Store store = Store::open(file, Store::Mode::existing);
  EXPECT_EQ(store.newest_run(), id) << "what confirms is of no series";
  ASSERT_EQ(store.load_run(again).marks.size(), 1U);
  EXPECT_EQ(store.load_run(again).marks[0].kind, MarkKind::confirms);
  EXPECT_EQ(store.load_run(again).marks[0].reason, id);
  EXPECT_EQ(run_splitbench(gate).out, once.out) << "the night's own answer stays";
}

}  // namespace
}  // namespace splitbench::test

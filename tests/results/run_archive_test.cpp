// Runs written as text and taken in again: nothing lost, the same bytes the second time.
#include "results/run_archive.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <functional>
#include <limits>

#include "model/invalid_input.h"
#include "tests/results/records.h"
#include "tests/support/temporary_directory.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;
using test::same;
using test::small_round;
using test::small_run;

std::string text_of(const std::vector<StoredRun>& runs) {
  Json document{{"schema", kRunsSchema}, {"runs", Json::array()}};
  for (const StoredRun& run : runs) document["runs"].push_back(to_json(run));
  return document.dump();
}

StoredRun small_stored_run(const std::string& id) {
  StoredRun stored;
  stored.run = small_run(id);
  stored.rounds = {small_round(0, 0), small_round(0, 1)};
  stored.forecasts = {{6, R"({"points": [6]})"}, {10, R"({"points": [10]})"}};
  stored.outcome = RunOutcome::complete;
  stored.document = "{\n  \"a\": 0.10\n}\n";
  stored.marks = {{MarkKind::accepted, "2026-02-01T00:00:00Z", "ann", "new driver"}};
  return stored;
}

// Random records hold any bytes in their strings, and any doubles.
TEST(RunArchive, GivesRandomRunsBackAndWritesTheSameBytes) {
  EXPECT_TRUE(rc::check("what is read is what was written", [] {
    StoredRun stored;
    stored.run = test::random_run();
    stored.sessions = {test::random_session(0), test::random_session(1)};
    stored.rounds = {test::random_round(0, 0), test::random_round(1, 0)};
    const std::string text = text_of({stored});
    const std::vector<StoredRun> read = runs_from_text(text, "runs.json");
    RC_ASSERT(read.size() == 1U);
    RC_ASSERT(read[0].run == stored.run);
    RC_ASSERT(read[0].sessions == stored.sessions);
    RC_ASSERT(read[0].rounds.size() == 2U);
    RC_ASSERT(same(read[0].rounds[0], stored.rounds[0]));
    RC_ASSERT(same(read[0].rounds[1], stored.rounds[1]));
    RC_ASSERT(text_of(read) == text);
  }));
}

TEST(RunArchive, KeepsWhatJsonHasNoWordFor) {
  const double infinity = std::numeric_limits<double>::infinity();
  StoredRun stored = small_stored_run("a");
  stored.run.notes = {"\xff\xfe is no UTF-8", "nan"};
  stored.run.price_per_hour = 2.5;
  stored.rounds[0].blocks[0].block.seconds = {std::numeric_limits<double>::quiet_NaN(), infinity,
                                              -infinity, -0.0};
  const std::vector<StoredRun> read = runs_from_text(text_of({stored}), "runs.json");
  EXPECT_EQ(read.at(0).run, stored.run);
  EXPECT_TRUE(same(read.at(0).rounds.at(0), stored.rounds[0]));
  EXPECT_EQ(read.at(0).document, stored.document);
  EXPECT_EQ(read.at(0).forecasts, stored.forecasts);
  EXPECT_EQ(read.at(0).outcome, RunOutcome::complete);
  EXPECT_EQ(read.at(0).marks, stored.marks);
}

TEST(RunArchive, GoesFromStoreToStore) {
  const test::TemporaryDirectory directory;
  Store from = Store::open(directory / "from.db", Store::Mode::create);
  Store to = Store::open(directory / "to.db", Store::Mode::create);
  const StoredRun stored = small_stored_run("a");
  from.add_run(stored);
  to.add_run(runs_from_text(text_of({from.load_run("a")}), "x").at(0));
  EXPECT_EQ(text_of({to.load_run("a")}), text_of({stored}));
  EXPECT_THROW(to.add_run(stored), StoreError);
}

std::string complaint(const std::string& text) {
  try {
    runs_from_text(text, "runs.json");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(RunArchive, NoticesThatAnySampleChanged) {
  const Json whole = Json::parse(text_of({small_stored_run("a"), small_stored_run("b")}));
  ASSERT_EQ(complaint(whole.dump()), "");
  for (std::size_t sample = 0; sample < 4; ++sample) {
    Json changed = whole;
    double& seconds =
        changed["runs"][1]["rounds"][0]["blocks"][1]["block"]["seconds"][sample].get_ref<double&>();
    seconds = std::nextafter(seconds, 1.0);
    const std::string said = complaint(changed.dump());
    EXPECT_EQ(said.rfind("runs.json: /runs/1: this is not what was exported", 0), 0U) << said;
  }
  Json changed = whole;
  changed["runs"][0]["marks"][0]["author"] = "bob";
  EXPECT_NE(complaint(changed.dump()), "");
}

// Exports of before there were checksums and marks.
TEST(RunArchive, TakesAnExportWithoutAChecksum) {
  Json old = Json::parse(text_of({small_stored_run("a")}));
  old["runs"][0].erase("checksum");
  old["runs"][0].erase("marks");
  const auto read = runs_from_text(old.dump(), "old.json");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_TRUE(read[0].marks.empty());
}

// A run that cannot be added whole is not added at all.
TEST(RunArchive, ARunWithARoundTwiceLeavesNothing) {
  const test::TemporaryDirectory directory;
  Store store = Store::open(directory / "s.db", Store::Mode::create);
  StoredRun stored = small_stored_run("a");
  stored.rounds.push_back(small_round(0, 1));
  EXPECT_THROW(store.add_run(stored), StoreError);
  EXPECT_TRUE(store.list_runs().runs.empty());
}

TEST(RunArchive, SaysWhereATextIsNone) {
  EXPECT_EQ(complaint("").rfind("runs.json: at line 1, column 1: not JSON", 0), 0U)
      << complaint("");
  EXPECT_EQ(complaint("{\n {").rfind("runs.json: at line 2, column 2: not JSON", 0), 0U)
      << complaint("{\n {");
  EXPECT_EQ(complaint("[1e999]"),
            "runs.json: expected finite numbers, found one that is too large");
  EXPECT_NE(complaint(R"({"schema": "splitbench.result/1"})").find("splitbench.runs/1"),
            std::string::npos);
  Json broken = Json::parse(text_of({small_stored_run("a"), small_stored_run("b")}));
  broken["runs"][1]["rounds"][0].erase("blocks");
  EXPECT_EQ(complaint(broken.dump()).rfind("runs.json: /runs/1: ", 0), 0U);
}

// A JSON pointer and what was expected there, in words of this program and of no library.
TEST(RunArchive, SaysWhereARunIsNone) {
  const auto complaint_of = [](const std::function<void(Json&)>& change) {
    Json document = Json::parse(text_of({small_stored_run("a"), small_stored_run("b")}));
    document["runs"][1].erase("checksum");
    change(document["runs"][1]);
    return complaint(document.dump());
  };
  const std::string kRun = "runs.json: /runs/1";
  const std::string kWritten = ", as 'splitbench store export' writes it";
  EXPECT_EQ(complaint_of([](Json& run) { run["rounds"][1].erase("blocks"); }),
            kRun + "/rounds/1: expected a round" + kWritten);
  EXPECT_EQ(complaint_of([](Json& run) { run["rounds"] = 3; }), kRun + "/rounds: expected a list");
  EXPECT_EQ(complaint_of([](Json& run) { run["run"].erase("node"); }),
            kRun + "/run: expected a run" + kWritten);
  EXPECT_EQ(complaint_of([](Json& run) { run["outcome"] = "fine"; }),
            kRun + "/outcome: unknown outcome 'fine'");
  EXPECT_EQ(complaint_of([](Json& run) { run["forecasts"][0]["sessions"] = "six"; }),
            kRun + "/forecasts/0: expected a forecast" + kWritten);
  EXPECT_EQ(complaint_of([](Json& run) { run["result"] = 1; }),
            kRun + "/result: expected a text or null" + kWritten);
  EXPECT_EQ(complaint_of([](Json& run) { run["marks"][0]["kind"] = "liked"; }),
            kRun + "/marks/0: unknown kind of mark 'liked'");
  EXPECT_EQ(complaint_of([](Json& run) { run = 1; }), kRun + "/run: expected a run" + kWritten);
  EXPECT_EQ(complaint_of([](Json& run) {
              run["run"] = {{"$bytes", "4"}};
            }),
            kRun + ": expected pairs of digits");
}

}  // namespace
}  // namespace splitbench

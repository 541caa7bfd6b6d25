// The store: what is saved comes back bit for bit, and what is no store of ours is refused and left
// as it was.
#include "results/store.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>

#include "tests/results/records.h"
#include "tests/support/temporary_directory.h"

namespace splitbench {
namespace {

using test::same;
using test::small_round;
using test::small_run;
using test::TemporaryDirectory;

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

void sql(const std::filesystem::path& file, const std::string& script) {
  sqlite::Database(file, sqlite::Database::Mode::create).execute(script);
}

// What the refusal was, with what it said.
struct Refusal {
  std::optional<StoreFault> fault;
  std::string message;
};
Refusal refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const StoreError& error) {
    return {error.fault(), error.what()};
  }
  return {};
}
Refusal refusal_to_open(const std::filesystem::path& file, Store::Mode mode) {
  return refusal([&] { Store::open(file, mode); });
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Takes away what version 3 added.
const std::string to_version_2 =
    "DROP INDEX run_series; DROP INDEX run_start; DROP TABLE mark;"
    "ALTER TABLE run DROP COLUMN fingerprint; PRAGMA user_version = 2";

class StoreTest : public testing::Test {
 protected:
  TemporaryDirectory directory;
  std::filesystem::path file = directory / "store.db";
  Store open(Store::Mode mode = Store::Mode::create) const { return Store::open(file, mode); }
};

TEST_F(StoreTest, GivesBackRandomRecordsAsTheyWere) {
  Store writer = open();
  const Store reader = open(Store::Mode::existing);
  int runs = 0;
  EXPECT_TRUE(rc::check("what is loaded is what was saved", [&] {
    RunRecord run = test::random_run();
    run.id.insert(0, std::to_string(++runs) + "/");  // after the text, "5" + 6 and "" + 56 are one
    const std::vector<SessionRecord> sessions{test::random_session(0), test::random_session(1)};
    const std::vector<RoundRecord> rounds{test::random_round(0, 0), test::random_round(0, 1),
                                          test::random_round(1, 0)};
    writer.begin_run(run);
    for (const SessionRecord& session : sessions) writer.save_session(run.id, session);
    for (const RoundRecord& round : rounds) writer.save_round(run.id, round);

    const StoredRun stored = reader.load_run(run.id);
    RC_ASSERT(stored.run == run);
    RC_ASSERT(stored.sessions == sessions);
    RC_ASSERT(stored.rounds.size() == rounds.size());
    for (std::size_t i = 0; i < rounds.size(); ++i) RC_ASSERT(same(stored.rounds[i], rounds[i]));
  }));
}

TEST_F(StoreTest, KeepsWhatAFailedCheckCanFind) {
  // A wrong result may be anything; that it was is worth keeping.
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  Correctness correctness;
  correctness.max_error = nan;
  correctness.error_bound = infinity;
  SessionRecord session;
  session.correctness = {correctness};
  RoundRecord round = small_round(0, 0);
  round.blocks[0].block.seconds = {nan, infinity, -infinity, -0.0};
  Store store = open();
  store.begin_run(small_run("a"));
  store.save_session("a", session);
  store.save_round("a", round);
  const StoredRun stored = store.load_run("a");
  EXPECT_TRUE(std::isnan(stored.sessions[0].correctness[0].max_error));
  EXPECT_EQ(stored.sessions[0].correctness[0].error_bound, infinity);
  EXPECT_TRUE(same(stored.rounds[0], round));
}

TEST_F(StoreTest, GivesRoundsInTheirOrderWhateverTheOrderTheyCameIn) {
  Store store = open();
  store.begin_run(small_run("a"));
  for (const auto& [session, round] : {std::pair(1, 0), {0, 10}, {0, 9}, {10, 0}, {9, 0}}) {
    store.save_round("a", small_round(session, round));
  }
  std::vector<std::pair<int, int>> order;
  for (const RoundRecord& round : store.load_run("a").rounds) {
    order.emplace_back(round.session, round.round);
  }
  EXPECT_EQ(order, (std::vector<std::pair<int, int>>{{0, 9}, {0, 10}, {1, 0}, {9, 0}, {10, 0}}));
}

TEST_F(StoreTest, ARunIsPartialUntilItIsFinished) {
  Store store = open();
  store.begin_run(small_run("a"));
  store.save_round("a", small_round(0, 0));
  EXPECT_EQ(store.load_run("a").outcome, RunOutcome::partial);
  EXPECT_EQ(store.load_run("a").document, std::nullopt);
  EXPECT_EQ(store.list_runs().runs[0].outcome, RunOutcome::partial);

  store.finish_run("a", RunOutcome::invalid, R"({"b": 1, "a": 0.10})");
  EXPECT_EQ(store.load_run("a").outcome, RunOutcome::invalid);
  EXPECT_EQ(store.load_run("a").document, R"({"b": 1, "a": 0.10})");
  EXPECT_EQ(store.list_runs().runs[0].outcome, RunOutcome::invalid);

  store.finish_run("a", RunOutcome::complete, "{}");  // analysed again
  EXPECT_EQ(store.load_run("a").outcome, RunOutcome::complete);
  EXPECT_EQ(store.load_run("a").document, "{}");
}

TEST_F(StoreTest, TheRecordsOfARunAndOfASessionCanBeReplaced) {
  Store store = open();
  RunRecord run = small_run("a");
  store.begin_run(run);
  store.save_round("a", small_round(0, 0));
  run.protocol.name = "fitted";
  run.notes = {"left out: the coarse grid"};
  store.update_run(run);
  SessionRecord session;
  store.save_session("a", session);
  session.memory_peak = {Bytes(1e6), Bytes(2e6)};
  store.save_session("a", session);

  const StoredRun stored = store.load_run("a");
  EXPECT_EQ(stored.run, run);
  EXPECT_EQ(stored.sessions, std::vector{session});
  EXPECT_EQ(stored.rounds.size(), 1U);
  EXPECT_EQ(store.list_runs().runs[0].protocol, "fitted");
}

TEST_F(StoreTest, ListsRunsTheOldestFirst) {
  Store store = open();
  RunRecord late = small_run("a");
  late.provenance.started_utc = "2026-02-01T00:00:00Z";
  late.node.times_are = TimesAre::simulated;
  late.node.backend = "simulated";
  store.begin_run(late);
  store.begin_run(small_run("b"));
  store.save_round("b", small_round(0, 0));
  store.save_round("b", small_round(0, 1));

  const std::vector<RunSummary> runs = store.list_runs().runs;
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].id, "b");
  EXPECT_EQ(runs[0].started_utc, "2026-01-31T12:00:00Z");
  EXPECT_EQ(runs[0].protocol, "small");
  EXPECT_EQ(runs[0].node, "2 x CPU core");
  EXPECT_EQ(runs[0].backend, "host");
  EXPECT_EQ(runs[0].times_are, TimesAre::measured);
  EXPECT_EQ(runs[0].rounds, 2);
  EXPECT_EQ(runs[1].id, "a");
  EXPECT_EQ(runs[1].backend, "simulated");
  EXPECT_EQ(runs[1].times_are, TimesAre::simulated);
  EXPECT_EQ(runs[1].rounds, 0);
}

TEST_F(StoreTest, ARemovedRunLeavesNothingAndTakesNoOther) {
  Store store = open();
  for (const char* id : {"a", "b"}) {
    store.begin_run(small_run(id));
    store.save_session(id, {});
    store.save_round(id, small_round(0, 0));
    store.finish_run(id, RunOutcome::complete, "{}");
  }
  store.remove_run("a");
  const sqlite::Database database(file, sqlite::Database::Mode::existing);
  for (const char* table : {"session", "round", "result"}) {
    EXPECT_EQ(database.integer(std::string("SELECT count(*) FROM ") + table), 1) << table;
  }
  EXPECT_TRUE(same(store.load_run("b").rounds.at(0), small_round(0, 0)));
  store.begin_run(small_run("a"));
  EXPECT_TRUE(store.load_run("a").rounds.empty());
}

TEST_F(StoreTest, RefusesARunItDoesNotHave) {
  Store store = open();
  store.begin_run(small_run("other"));
  const std::vector<std::function<void()>> calls{
      [&] { store.update_run(small_run("a")); },
      [&] { store.save_session("a", {}); },
      [&] { store.save_round("a", small_round(0, 0)); },
      [&] { store.finish_run("a", RunOutcome::complete, "{}"); },
      [&] { store.load_run("a"); },
      [&] { store.remove_run("a"); }};
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Refusal refused = refusal(calls[i]);
    EXPECT_EQ(refused.fault, StoreFault::no_run) << i;
    EXPECT_EQ(refused.message, file.string() +
                                   ": there is no run a; 'splitbench list runs' shows those that "
                                   "are");
  }
}

TEST_F(StoreTest, RefusesToSaveARunOrARoundTwice) {
  Store store = open();
  store.begin_run(small_run("a"));
  store.save_round("a", small_round(2, 3));
  RunRecord other = small_run("a");
  other.notes = {"another"};
  RoundRecord changed = small_round(2, 3);
  changed.blocks.clear();

  const Refusal run = refusal([&] { store.begin_run(other); });
  EXPECT_EQ(run.fault, StoreFault::duplicate);
  EXPECT_EQ(run.message, file.string() + ": run a is stored already");
  const Refusal round = refusal([&] { store.save_round("a", changed); });
  EXPECT_EQ(round.fault, StoreFault::duplicate);
  EXPECT_EQ(round.message, file.string() + ": round 3 of session 2 of run a is stored already");

  EXPECT_EQ(store.load_run("a").run, small_run("a"));
  EXPECT_TRUE(same(store.load_run("a").rounds.at(0), small_round(2, 3)));
}

TEST_F(StoreTest, MakesTheDirectoriesToIt) {
  const std::filesystem::path deep = directory / "share/splitbench/store.db";
  Store::open(deep, Store::Mode::create).begin_run(small_run("a"));
  EXPECT_EQ(Store::open(deep, Store::Mode::existing).list_runs().runs.size(), 1U);
}

TEST_F(StoreTest, TakesANameThatSqliteWouldReadAsSomethingElse) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(directory.path());
  for (const char* special : {":memory:", "file:x.db?mode=memory", "store.db"}) {
    Store::open(special, Store::Mode::create).begin_run(small_run("a"));
    EXPECT_TRUE(std::filesystem::is_regular_file(directory / special)) << special;
  }
  std::filesystem::current_path(before);
}

TEST_F(StoreTest, RefusesAPathWithNoStore) {
  const Refusal missing = refusal_to_open(file, Store::Mode::existing);
  EXPECT_EQ(missing.fault, StoreFault::no_store);
  EXPECT_EQ(missing.message, file.string() +
                                 ": there is no store; 'splitbench run' makes one, --store FILE "
                                 "names another");
  EXPECT_FALSE(std::filesystem::exists(file));

  write(file, "");
  EXPECT_EQ(refusal_to_open(file, Store::Mode::existing).fault, StoreFault::no_store);
  EXPECT_EQ(contents(file), "");
  open().begin_run(small_run("a"));  // an empty file is what a killed beginning leaves
  EXPECT_EQ(open(Store::Mode::existing).list_runs().runs.size(), 1U);
}

TEST_F(StoreTest, RefusesAStoreOfALaterVersionAndLeavesItAsItWas) {
  open().begin_run(small_run("a"));
  sql(file, "PRAGMA user_version = 4");
  const std::string before = contents(file);
  for (const auto mode : {Store::Mode::create, Store::Mode::existing, Store::Mode::reading}) {
    const Refusal refused = refusal_to_open(file, mode);
    EXPECT_EQ(refused.fault, StoreFault::newer);
    EXPECT_EQ(refused.message,
              file.string() +
                  ": was written by a later version of splitbench (its tables are version 4, this "
                  "one knows 3); use that version, or --store FILE for another file");
  }
  EXPECT_EQ(contents(file), before);
}

TEST_F(StoreTest, RefusesAnotherProgramsDatabaseAndLeavesItAsItWas) {
  for (const char* script :
       {"CREATE TABLE run (id TEXT)", "PRAGMA application_id = 7", "PRAGMA user_version = 1"}) {
    const std::filesystem::path other = directory / "other.db";
    std::filesystem::remove(other);
    sql(other, script);
    const std::string before = contents(other);
    const Refusal refused = refusal_to_open(other, Store::Mode::create);
    EXPECT_EQ(refused.fault, StoreFault::foreign) << script;
    EXPECT_EQ(refused.message, other.string() +
                                   ": is a database, but not a store of splitbench; use --store "
                                   "FILE for another file");
    EXPECT_EQ(contents(other), before) << script;
  }
}

TEST_F(StoreTest, RefusesAFileThatIsNoDatabaseAndLeavesItAsItWas) {
  std::string garbage(10'000, '\0');
  for (std::size_t i = 0; i < garbage.size(); ++i) garbage[i] = static_cast<char>(i * 7919 % 251);
  for (const std::string& text : {std::string("x\n"), std::string(R"({"schema": "x"})"), garbage}) {
    write(file, text);
    const Refusal refused = refusal_to_open(file, Store::Mode::create);
    EXPECT_EQ(refused.fault, StoreFault::foreign);
    EXPECT_EQ(refused.message,
              file.string() + ": file is not a database; use --store FILE for another file");
    EXPECT_EQ(contents(file), text);
  }
}

TEST_F(StoreTest, RefusesAPathThatCannotHoldAStore) {
  write(directory / "file", "");
  for (const std::filesystem::path& path :
       {directory / "file/store.db", directory / "file/deep/store.db", directory.path(),
        std::filesystem::path("/dev/full"), std::filesystem::path("/proc/splitbench/store.db")}) {
    const Refusal refused = refusal_to_open(path, Store::Mode::create);
    EXPECT_TRUE(refused.fault) << path;
    EXPECT_TRUE(contains(refused.message, path.string() + ": ")) << refused.message;
    EXPECT_TRUE(contains(refused.message, "use --store FILE")) << refused.message;
  }
}

TEST_F(StoreTest, NamesTheRecordInWhichAByteChanged) {
  Store store = open();
  store.begin_run(small_run("a"));
  store.save_session("a", {.session = 1, .correctness = {}, .memory_peak = {}});
  store.save_round("a", small_round(1, 4));
  store.finish_run("a", RunOutcome::complete, R"({"speedup": 1.5})");

  const auto with_every_byte_changed = [&](const std::string& table, const std::string& column,
                                           const std::string& what) {
    sqlite::Database database(file, sqlite::Database::Mode::existing);
    sqlite::Rows rows = database.query("SELECT " + column + " FROM " + table);
    ASSERT_TRUE(rows.next());
    const std::vector<std::uint8_t> bytes = rows.blob(0);
    while (rows.next()) {
    }
    ASSERT_FALSE(bytes.empty());
    const std::string update = "UPDATE " + table + " SET " + column + " = " +
                               (column == "document" ? "CAST(? AS TEXT)" : "?");
    for (std::size_t i = 0; i < bytes.size(); i += bytes.size() / 16 + 1) {
      std::vector<std::uint8_t> changed = bytes;
      changed[i] ^= 1;
      database.change(update, {changed});
      const Refusal refused = refusal([&] { store.load_run("a"); });
      EXPECT_EQ(refused.fault, StoreFault::damaged_run) << table << " byte " << i;
      EXPECT_EQ(refused.message.find(file.string() + ": " + what + " is damaged: its checksum"), 0U)
          << refused.message;
    }
    database.change(update, {bytes});
  };
  with_every_byte_changed("run", "record", "run a");
  with_every_byte_changed("session", "record", "session 1 of run a");
  with_every_byte_changed("round", "record", "round 4 of session 1 of run a");
  with_every_byte_changed("result", "document", "the result of run a");
  EXPECT_TRUE(same(store.load_run("a").rounds.at(0), small_round(1, 4)));
}

TEST_F(StoreTest, SaysSoWhenTheFilesStructureIsDamaged) {
  open().begin_run(small_run("a"));
  std::string bytes = contents(file);
  ASSERT_GT(bytes.size(), 8192U);
  // Page 2 and after, with the first page (the header and the list of tables) left whole.
  std::fill(bytes.begin() + 4096, bytes.end(), '\x5a');
  write(file, bytes);
  const Refusal refused = refusal([&] { open(Store::Mode::existing).load_run("a"); });
  EXPECT_EQ(refused.fault, StoreFault::damaged);
  EXPECT_TRUE(contains(refused.message, file.string() + ": database disk image is malformed"))
      << refused.message;
}

TEST_F(StoreTest, KeepsAForecastAsItWasSaidFirst) {
  Store store = open();
  store.begin_run(small_run("a"));
  store.save_forecast("a", 6, R"({"tn_s": 0.10})");
  store.save_forecast("a", 10, "{}");
  EXPECT_EQ(refusal([&] { store.save_forecast("a", 6, "{}"); }).message,
            file.string() + ": a forecast from 6 sessions of run a is stored already");
  EXPECT_EQ(refusal([&] { store.save_forecast("b", 6, "{}"); }).fault, StoreFault::no_run);
  const auto forecasts = store.load_run("a").forecasts;
  EXPECT_EQ(forecasts.size(), 2U);
  EXPECT_EQ(forecasts.at(6), R"({"tn_s": 0.10})");
  sqlite::Database(file, sqlite::Database::Mode::existing)
      .execute("UPDATE forecast SET document = '{\"tn_s\": 0.20}' WHERE sessions = 6");
  const Refusal changed = refusal([&] { store.load_run("a"); });
  EXPECT_EQ(changed.fault, StoreFault::damaged_run);
  EXPECT_TRUE(contains(changed.message, "the forecast from 6 sessions of run a is damaged"));
}

// What version 0.1 wrote: no table of forecasts. Its runs stay, and new ones have forecasts.
TEST_F(StoreTest, BringsAStoreOfVersion1UpToDate) {
  {
    Store store = open();
    store.begin_run(small_run("old"));
    store.save_round("old", small_round(0, 0));
  }
  sql(file, "DROP TABLE forecast; " + to_version_2);
  sql(file, "PRAGMA user_version = 1");
  Store store = open();
  EXPECT_TRUE(same(store.load_run("old").rounds.at(0), small_round(0, 0)));
  EXPECT_TRUE(store.load_run("old").forecasts.empty());
  store.save_forecast("old", 1, "{}");
  EXPECT_EQ(sqlite::Database(file, sqlite::Database::Mode::existing).integer("PRAGMA user_version"),
            3);
}

// Before there were fingerprints: they follow from the record of each run.
TEST_F(StoreTest, BringsAStoreOfVersion2UpToDate) {
  std::string fingerprint;
  {
    Store store = open();
    store.begin_run(small_run("old"));
    store.finish_run("old", RunOutcome::complete, "{}");
    fingerprint = store.list_runs().runs.at(0).fingerprint;
  }
  ASSERT_EQ(fingerprint.size(), 16U);
  sql(file, to_version_2);
  const Store store = open(Store::Mode::existing);
  EXPECT_EQ(store.list_runs().runs.at(0).fingerprint, fingerprint);
  ASSERT_EQ(store.series(fingerprint, small_run("old").protocol.name).size(), 1U);
  EXPECT_TRUE(store.load_run("old").marks.empty());
}

TEST_F(StoreTest, ListsTheRunsThatCanBeReadBesideOneThatCannot) {
  Store store = open();
  for (const char* id : {"a", "b", "c"}) store.begin_run(small_run(id));
  sql(file, "UPDATE run SET times_are = 'guessed' WHERE id = 'b'");
  const RunList list = store.list_runs();
  ASSERT_EQ(list.runs.size(), 2U);
  EXPECT_EQ(list.runs[0].id, "a");
  EXPECT_EQ(list.runs[1].id, "c");
  ASSERT_EQ(list.damaged.size(), 1U);
  EXPECT_TRUE(contains(list.damaged[0], "run b is damaged")) << list.damaged[0];
}

// Its result is what a series would read; the run itself is still listed.
TEST_F(StoreTest, NamesARunWhoseResultIsDamagedAndWhatMendsIt) {
  Store store = open();
  for (const char* id : {"a", "b"}) {
    store.begin_run(small_run(id));
    store.finish_run(id, RunOutcome::complete, "{}");
  }
  sql(file, "UPDATE result SET document = '[]' WHERE run = 'a'");
  const RunList list = store.list_runs();
  EXPECT_EQ(list.runs.size(), 2U);
  ASSERT_EQ(list.damaged.size(), 1U);
  EXPECT_TRUE(contains(list.damaged[0], "the result of run a is damaged")) << list.damaged[0];
  const std::string mending = "'splitbench store remove RUN' takes that run out, the others stay";
  EXPECT_TRUE(contains(list.damaged[0], mending)) << list.damaged[0];
  const auto series = [&] {
    return store.series(list.runs[0].fingerprint, small_run("a").protocol.name);
  };
  const Refusal refused = refusal(series);
  EXPECT_EQ(refused.fault, StoreFault::damaged_run);
  EXPECT_TRUE(contains(refused.message, mending)) << refused.message;
  store.remove_run("a");
  EXPECT_EQ(series().size(), 1U);
  EXPECT_TRUE(store.list_runs().damaged.empty());
}

// A page in the middle of the table of runs is overwritten: those on both sides of it are listed.
TEST_F(StoreTest, ListsWhatLiesAroundADamagedPage) {
  constexpr int kRuns = 60;  // a record of 2 kB each, so at most two a page
  {
    Store store = open();
    for (int run = 0; run < kRuns; ++run) {
      RunRecord record = small_run("run-" + std::to_string(100 + run));
      record.notes = {std::string(1500, 'n')};
      store.begin_run(record);
    }
  }
  std::string bytes = contents(file);
  // The page of the table, not that of an index: it has the notes, too.
  std::size_t page = 0;
  for (std::size_t at = bytes.find("run-130"); at != bytes.npos;
       at = bytes.find("run-130", at + 1)) {
    const std::size_t start = at / 4096 * 4096;
    if (bytes.substr(start, 4096).find("nnnnnnnn") != bytes.npos) page = start;
  }
  ASSERT_GT(page, 0U);
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(page), 4096, '\x5a');
  write(file, bytes);
  const RunList list = open(Store::Mode::reading).list_runs();
  EXPECT_FALSE(list.damaged.empty());
  ASSERT_GE(list.runs.size(), 40U);
  EXPECT_LT(list.runs.size(), std::size_t{kRuns});
  EXPECT_EQ(list.runs.front().id, "run-100");
  EXPECT_EQ(list.runs.back().id, "run-159");
}

}  // namespace
}  // namespace splitbench

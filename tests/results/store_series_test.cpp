// What a store says of many runs: those of one machine and protocol, the newest, those that fit.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "model/invalid_input.h"
#include "results/fingerprint.h"
#include "results/run_filter.h"
#include "results/store.h"
#include "tests/results/records.h"
#include "tests/support/temporary_directory.h"

namespace splitbench {
namespace {

using test::small_run;

class StoreSeries : public testing::Test {
 protected:
  test::TemporaryDirectory directory;
  std::filesystem::path file = directory / "store.db";
};

RunRecord run_at(const std::string& id, const std::string& started) {
  RunRecord run = small_run(id);
  run.provenance.started_utc = started;
  return run;
}

TEST_F(StoreSeries, GivesTheFinishedRunsOfAMachineAndProtocolTheOldestFirst) {
  Store store = Store::open(file, Store::Mode::create);
  store.begin_run(run_at("late", "2026-01-03T00:00:00Z"));
  store.begin_run(run_at("early", "2026-01-01T00:00:00Z"));
  store.begin_run(run_at("second-of-early", "2026-01-01T00:00:00Z"));
  store.begin_run(run_at("unfinished", "2026-01-02T00:00:00Z"));
  RunRecord other = small_run("another-machine");
  other.node.devices[0].name = "another core";
  store.begin_run(other);
  for (const char* id : {"late", "early", "second-of-early", "another-machine"}) {
    store.finish_run(id, RunOutcome::complete, std::string("document of ") + id);
  }
  const Mark mark{MarkKind::accepted, "2026-01-04T00:00:00Z", "ann", "new driver"};
  store.add_mark("early", mark);

  const RunRecord one = small_run("any");
  const auto series = store.series(fingerprint(one.node), one.protocol.name);
  ASSERT_EQ(series.size(), 3U);
  EXPECT_EQ(series[0].id, "early");
  EXPECT_EQ(series[0].document, "document of early");
  EXPECT_EQ(series[0].marks, std::vector<Mark>{mark});
  EXPECT_EQ(series[1].id, "second-of-early") << "stored later in the same second";
  EXPECT_EQ(series[2].id, "late");
  EXPECT_EQ(store.load_document("late"), "document of late");
  EXPECT_EQ(store.load_document("unfinished"), std::nullopt);
  EXPECT_TRUE(store.series(fingerprint(one.node), "another protocol").empty());
  EXPECT_THROW(store.load_document("none"), StoreError);
  EXPECT_THROW(store.add_mark("none", mark), StoreError);
}

TEST_F(StoreSeries, TheNewestRunIsTheLastThatConfirmsNoOther) {
  Store store = Store::open(file, Store::Mode::create);
  EXPECT_FALSE(store.newest_run());
  store.begin_run(run_at("b", "2026-01-02T00:00:00Z"));
  store.begin_run(run_at("a", "2026-01-01T00:00:00Z"));
  EXPECT_EQ(store.newest_run().value().id, "b");
  store.begin_run(run_at("again", "2026-01-03T00:00:00Z"));
  store.add_mark("again", {MarkKind::confirms, "2026-01-03T00:00:00Z", "gate", "b"});
  EXPECT_EQ(store.newest_run().value().id, "b");
  RunFilter filter;
  filter.until = "2026-01-01T12:00:00Z";
  EXPECT_EQ(store.newest_run(filter).value().id, "a");
  filter.protocol = "another";
  EXPECT_FALSE(store.newest_run(filter));
}

// Ids of one second are random: the order is that in which they were stored, for every question.
TEST_F(StoreSeries, RunsOfOneSecondHaveOneOrder) {
  Store store = Store::open(file, Store::Mode::create);
  const char* second = "2026-01-02T00:00:00Z";
  store.begin_run(run_at("c", second));
  store.begin_run(run_at("a", second));
  store.begin_run(run_at("d", "2026-01-01T00:00:00Z"));
  store.begin_run(run_at("b", second));
  const RunRecord one = small_run("any");
  for (const char* id : {"a", "b", "c", "d"}) store.finish_run(id, RunOutcome::complete, "{}");
  std::vector<std::string> listed;
  for (const RunSummary& run : store.list_runs().runs) listed.push_back(run.id);
  std::vector<std::string> followed;
  for (const auto& run : store.series(fingerprint(one.node), one.protocol.name)) {
    followed.push_back(run.id);
  }
  EXPECT_EQ(listed, (std::vector<std::string>{"d", "c", "a", "b"}));
  EXPECT_EQ(followed, listed);
  EXPECT_EQ(store.newest_run().value().id, listed.back());
}

TEST(RunFilter, TakesWhatFits) {
  const RunSummary run{.id = "a",
                       .started_utc = "2026-02-10T12:00:00Z",
                       .protocol = "default",
                       .node = "2 x H200",
                       .fingerprint = "00ff00ff00ff00ff",
                       .backend = "cuda",
                       .times_are = TimesAre::measured,
                       .outcome = RunOutcome::complete,
                       .rounds = 30};
  const auto takes = [&run](const std::function<void(RunFilter&)>& set) {
    RunFilter filter;
    set(filter);
    return filter.takes(run);
  };
  EXPECT_TRUE(takes([](RunFilter&) {}));
  EXPECT_TRUE(takes([](RunFilter& filter) { filter.backend = "cuda"; }));
  EXPECT_FALSE(takes([](RunFilter& filter) { filter.backend = "host"; }));
  EXPECT_FALSE(takes([](RunFilter& filter) { filter.protocol = "gpu"; }));
  EXPECT_TRUE(takes([](RunFilter& filter) { filter.fingerprint = "00ff"; }));
  EXPECT_FALSE(takes([](RunFilter& filter) { filter.fingerprint = "ff"; }));
  EXPECT_FALSE(takes([](RunFilter& filter) { filter.outcome = RunOutcome::partial; }));
  EXPECT_TRUE(takes([](RunFilter& filter) { filter.since = "2026-02-10"; }));
  EXPECT_FALSE(takes([](RunFilter& filter) { filter.since = "2026-02-11"; }));
  EXPECT_TRUE(takes([](RunFilter& filter) { filter.until = "2026-02-10"; })) << "all of that day";
  EXPECT_FALSE(takes([](RunFilter& filter) { filter.until = "2026-02-09"; }));
  EXPECT_EQ(date("2026-02-10"), "2026-02-10");
  for (const char* text : {"", "yesterday", "2026-2-10", "10.02.2026"}) {
    EXPECT_THROW(date(text), InvalidInput) << text;
  }
}

}  // namespace
}  // namespace splitbench

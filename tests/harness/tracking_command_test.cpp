// compare, gate, history and the filters of list runs, as their users call them, on a store whose
// runs have numbers that are written down here.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "results/store.h"
#include "tests/results/synthetic_run.h"
#include "tests/results/written_result.h"
#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::ordered_json;

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

class TrackingCommands : public testing::Test {
 protected:
  // Stores a run of the base case with these numbers.
  void store(const WrittenResult& numbers) {
    Records records = make_records(base_case());
    records.run.id = numbers.id;
    records.run.provenance.started_utc = numbers.started_utc;
    Store store = Store::open(file, Store::Mode::create);
    store.begin_run(records.run);
    store.finish_run(numbers.id, RunOutcome::complete, written_result(numbers).dump());
  }
  // Nights alike, then with T_N this many times as long.
  void store_nights(int count, const std::vector<double>& more = {}) {
    for (int night = 0; night < count; ++night) store(nightly(night));
    for (const double factor : more) {
      WrittenResult numbers = nightly(count++);
      numbers.tn *= factor;
      store(numbers);
    }
  }
  std::filesystem::path document(const std::string& name, const Json& result) const {
    const auto path = directory / name;
    std::ofstream(path) << result.dump();
    return path;
  }
  ProcessResult command(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--store", file.string()});
    return run_splitbench(arguments);
  }

  TemporaryDirectory directory;
  std::filesystem::path file = directory / "s.db";
};

TEST_F(TrackingCommands, CompareTakesFilesAndStoredRuns) {
  store(nightly(0));
  WrittenResult later = nightly(1);
  later.tn *= 1.05;
  later.nccl = "2.28.1";
  const auto path = document("later.json", written_result(later));
  const ProcessResult json = command({"compare", "run-0", path.string(), "--format", "json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const auto comparison = Json::parse(json.out);
  EXPECT_EQ(comparison["schema"], "splitbench.comparison/1");
  EXPECT_EQ(comparison["points"][0]["rows"][0]["outcome"], "worse");
  const ProcessResult table = command({"compare", "run-0", path.string()});
  EXPECT_LE(widest_line(table.out), 80U) << table.out;
  EXPECT_NE(table.out.find("software.nccl: 2.27.3 -> 2.28.1"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("WORSE"), std::string::npos) << table.out;
}

TEST_F(TrackingCommands, CompareRefusesWhatIsUnlikeOrNoResult) {
  store(nightly(0));
  Json other = written_result({});
  other["times_are"] = "virtual";
  const auto unlike = document("virtual.json", other);
  const ProcessResult refused = command({"compare", "run-0", unlike.string()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("are not compared"), std::string::npos) << refused.err;
  for (const char* text : {"", "{}", "[1", "null"}) {
    const auto path = directory / "bad.json";
    std::ofstream(path) << text;
    const ProcessResult bad = command({"compare", path.string(), "run-0"});
    EXPECT_EQ(bad.exit_code, 2) << text;
    EXPECT_NE(bad.err.find("bad.json"), std::string::npos) << bad.err;
  }
  EXPECT_EQ(command({"compare", "run-0", "none"}).exit_code, 2);
  EXPECT_EQ(command({"compare", "run-0", directory.path().string()}).exit_code, 2);
  EXPECT_EQ(command({"compare", "run-0"}).exit_code, 2);
  EXPECT_EQ(command({"compare", "run-0", "run-0", "--least-effect", "0"}).exit_code, 2);
}

// The exit codes of docs/cli.md.
TEST_F(TrackingCommands, TheGateAnswersByItsExitCode) {
  store_nights(8);
  ProcessResult gate = command({"gate"});
  EXPECT_EQ(gate.exit_code, 4) << gate.out;
  EXPECT_NE(gate.out.find("GATE: LEARNING"), std::string::npos) << gate.out;
  EXPECT_EQ(command({"gate", "--allow-learning"}).exit_code, 0);
  for (int night = 8; night < 12; ++night) store(nightly(night));
  gate = command({"gate"});
  EXPECT_EQ(gate.exit_code, 0) << gate.out;
  EXPECT_LE(widest_line(gate.out), 80U) << gate.out;
  for (int night = 12; night < 14; ++night) {
    WrittenResult slower = nightly(night);
    slower.tn *= 1.04;
    store(slower);
  }
  gate = command({"gate", "--format", "json"});
  EXPECT_EQ(gate.exit_code, 1) << gate.err;
  EXPECT_EQ(Json::parse(gate.out)["run"]["id"], "run-13") << "the newest";
  EXPECT_EQ(command({"gate", "run-11"}).exit_code, 0) << "as it was then";
  EXPECT_EQ(command({"gate", "--threshold", "0.05"}).exit_code, 0);
  EXPECT_EQ(command({"gate", "--format", "junit"}).out.rfind("<?xml", 0), 0U);
  EXPECT_EQ(command({"gate", "--format", "github"}).out.rfind("::error ", 0), 0U);
  EXPECT_EQ(command({"gate", "--baseline", "none"}).exit_code, 4);
  EXPECT_EQ(command({"gate", "no-such-run"}).exit_code, 2);
  EXPECT_EQ(command({"gate", "--threshold", "2"}).exit_code, 2);
  const ProcessResult counts = command({"gate", "--least-runs", "20"});
  EXPECT_EQ(counts.exit_code, 2);
  EXPECT_NE(counts.err.find("--least-runs: 20 is more than --most-runs, 14"), std::string::npos)
      << counts.err;
}

// What continuous integration has in its hands: a document that no store has.
TEST_F(TrackingCommands, TheGateTakesADocument) {
  store_nights(12, {1.05});
  WrittenResult slower = nightly(13);
  slower.tn *= 1.05;
  const auto path = document("new.json", written_result(slower));
  EXPECT_EQ(command({"gate", path.string()}).exit_code, 1);
}

TEST_F(TrackingCommands, TheGateTakesNoTimesThatAreNotReal) {
  store_nights(12);
  for (const char* kind : {"stand-in", "virtual", "tabulated"}) {
    Json result = written_result(nightly(12));
    result["times_are"] = kind;
    const auto path = document("other.json", result);
    const ProcessResult gate = command({"gate", path.string(), "--format", "json"});
    EXPECT_EQ(gate.exit_code, 4) << kind;
    EXPECT_EQ(Json::parse(gate.out)["checks"][0]["cause"], "not-real") << kind;
  }
}

TEST_F(TrackingCommands, AcceptingRecordsWhoAndWhy) {
  store_nights(12, std::vector<double>(12, 1.05));
  EXPECT_EQ(command({"gate"}).exit_code, 1);
  EXPECT_EQ(command({"gate", "--accept"}).exit_code, 2) << "by whom, and why";
  EXPECT_EQ(command({"gate", "--by", "ann", "--why", "x"}).exit_code, 2) << "what for";
  const ProcessResult accepted =
      command({"gate", "run-13", "--accept", "--by", "ann", "--why", "new driver"});
  EXPECT_EQ(accepted.exit_code, 0) << accepted.err;
  const ProcessResult gate = command({"gate"});
  EXPECT_EQ(gate.exit_code, 0) << gate.out;
  EXPECT_NE(gate.out.find("accepted by ann: new driver"), std::string::npos) << gate.out;
  // It goes with the run from store to store.
  const ProcessResult exported = run_splitbench({"store", "export", "--store", file.string()});
  std::ofstream(directory / "runs.json") << exported.out;
  const auto other = (directory / "t.db").string();
  EXPECT_EQ(
      run_splitbench({"store", "import", (directory / "runs.json").string(), "--store", other})
          .exit_code,
      0);
  EXPECT_EQ(run_splitbench({"store", "export", "--store", other}).out, exported.out);
  EXPECT_EQ(run_splitbench({"gate", "--store", other}).out, gate.out);
}

TEST_F(TrackingCommands, AcceptingTakesNoFormatNoConfirmationAndTextAlone) {
  store_nights(12);
  const auto accept = [this](const std::vector<std::string>& more) {
    std::vector<std::string> all{"gate", "--accept", "--by", "ann", "--why"};
    all.insert(all.end(), more.begin(), more.end());
    return command(all);
  };
  for (const char* format : {"json", "junit", "github"}) {
    EXPECT_EQ(accept({"x", "--format", format}).exit_code, 2) << format;
  }
  EXPECT_EQ(accept({"x", "--confirm"}).exit_code, 2);
  EXPECT_EQ(accept({"caf\xE9"}).exit_code, 2) << "Latin 1";
  EXPECT_EQ(accept({""}).exit_code, 2);
  EXPECT_EQ(command({"gate", "--baseline", "\xFF"}).exit_code, 2);
  const ProcessResult before = command({"gate"});
  EXPECT_EQ(before.out.find("accepted"), std::string::npos) << "nothing was kept";
  ASSERT_EQ(accept({"new\n::error::driver \x1b[31mred"}).exit_code, 0);
  store(nightly(12));
  const ProcessResult gate = command({"gate"});
  EXPECT_NE(gate.out.find("accepted by ann: new"), std::string::npos) << gate.out;
  std::istringstream lines(gate.out);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    EXPECT_FALSE(first != line.npos && line.compare(first, 2, "::") == 0) << line;
  }
  EXPECT_EQ(gate.out.find('\x1b'), std::string::npos) << gate.out;
}

// A run that was killed has no result; the night before is no answer for it.
TEST_F(TrackingCommands, ARunThatWasNotFinishedIsUnknown) {
  store_nights(12);
  Records records = make_records(base_case());
  records.run.id = "killed";
  records.run.provenance.started_utc = "2020-03-01T00:00:00Z";
  Store::open(file, Store::Mode::existing).begin_run(records.run);
  const ProcessResult json = command({"gate", "--format", "json"});
  EXPECT_EQ(json.exit_code, 4) << json.err;
  const auto document = Json::parse(json.out);
  EXPECT_EQ(document["run"]["id"], "killed");
  EXPECT_EQ(document["outcome"], "unknown");
  EXPECT_EQ(document["checks"][0]["cause"], "not-complete");
  const ProcessResult junit = command({"gate", "--format", "junit"});
  EXPECT_EQ(junit.exit_code, 4);
  EXPECT_NE(junit.out.find("errors=\"2\""), std::string::npos) << junit.out;
}

// It would be the newest until then, and every night's run would go unjudged.
TEST_F(TrackingCommands, ARunThatIsDatedLaterThanNowIsPassedOver) {
  store_nights(12, {1.05, 1.05});
  WrittenResult later = nightly(0);
  later.id = "later";
  later.started_utc = "9999-01-01T00:00:00Z";
  store(later);
  const ProcessResult gate = command({"gate", "--format", "json"});
  EXPECT_EQ(gate.exit_code, 1) << gate.err;
  EXPECT_EQ(Json::parse(gate.out)["run"]["id"], "run-13");
  EXPECT_NE(gate.err.find("run later is dated 9999-01-01T00:00:00Z, which is later than now"),
            std::string::npos)
      << gate.err;
  const ProcessResult named = command({"gate", "later", "--format", "json"});
  EXPECT_EQ(Json::parse(named.out)["run"]["id"], "later");
  EXPECT_EQ(command({"history"}).exit_code, 0);
}

// As of a variable of CI that nobody set.
TEST_F(TrackingCommands, AnEmptyNameIsRefused) {
  store_nights(1);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"gate"},
                                             {"history"},
                                             {"compare", "run-0", "run-0"},
                                             {"list", "runs"},
                                             {"store", "export"},
                                             {"run", "--dry-run"}}) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"--store", ""});
    const ProcessResult result = run_splitbench(all);
    EXPECT_EQ(result.exit_code, 2) << arguments[0];
    EXPECT_NE(result.err.find("--store: expected the name of a file"), std::string::npos)
        << result.err;
  }
  EXPECT_EQ(command({"gate", ""}).exit_code, 2);
  EXPECT_EQ(run_splitbench({"run", "", "--dry-run"}).exit_code, 2);
}

TEST_F(TrackingCommands, WhatIsNoRegularFileIsNotRead) {
  store_nights(1);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"compare", "run-0", "/dev/zero"},
                                             {"gate", "/dev/zero"},
                                             {"store", "import", "/dev/zero"}}) {
    const ProcessResult result = command(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments[0];
    EXPECT_NE(result.err.find("cannot be read: it is no regular file"), std::string::npos)
        << result.err;
  }
  for (const auto& [given, why] : {std::pair{directory.path(), "it is a directory"},
                                   std::pair{directory / "none", "No such file or directory"}}) {
    const ProcessResult result = command({"store", "import", given.string()});
    EXPECT_NE(result.err.find(std::string("cannot be read: ") + why), std::string::npos)
        << result.err;
  }
}

TEST_F(TrackingCommands, ARunIsExportedOnceAndTakenInOnce) {
  store_nights(1);
  const ProcessResult exported = command({"store", "export", "run-0", "run-0"});
  auto runs = Json::parse(exported.out);
  ASSERT_EQ(runs["runs"].size(), 1U);
  runs["runs"].push_back(runs["runs"][0]);
  const auto path = document("twice.json", runs);
  const auto other = directory / "t.db";
  const ProcessResult twice =
      run_splitbench({"store", "import", path.string(), "--store", other.string()});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_NE(twice.err.find("run run-0 is given twice"), std::string::npos) << twice.err;
  EXPECT_FALSE(std::filesystem::exists(other));
}

TEST_F(TrackingCommands, TheSameRunInTwoFilesIsTakenInOnce) {
  store_nights(2);
  const auto runs = Json::parse(command({"store", "export"}).out);
  const auto both = document("both.json", runs);
  auto second = runs;
  second["runs"].erase(0);
  const auto one = document("one.json", second);
  const auto other = (directory / "t.db").string();
  const auto import = [&](const std::filesystem::path& a, const std::filesystem::path& b) {
    return run_splitbench({"store", "import", a.string(), b.string(), "--store", other});
  };
  second["runs"][0]["run"]["notes"] = {"another"};
  second["runs"][0].erase("checksum");
  const ProcessResult unlike = import(both, document("unlike.json", second));
  EXPECT_EQ(unlike.exit_code, 2);
  EXPECT_NE(unlike.err.find("unlike.json: run run-1 is another one than in "), std::string::npos)
      << unlike.err;
  EXPECT_FALSE(std::filesystem::exists(other));
  EXPECT_EQ(import(both, one).exit_code, 0);
  EXPECT_EQ(run_splitbench({"store", "export", "--store", other}).out,
            command({"store", "export"}).out);
}

// Each would be in a series, and what no measurement can have would be believed there.
TEST_F(TrackingCommands, AResultThatIsNoneIsNotTakenIn) {
  store_nights(1);
  const auto whole = Json::parse(command({"store", "export"}).out);
  const auto said = [&](const std::function<void(Json&)>& change) {
    Json runs = whole;
    Json result = Json::parse(runs["runs"][0]["result"].get<std::string>());
    change(result);
    runs["runs"][0]["result"] = result.dump();
    runs["runs"][0].erase("checksum");
    const auto other = directory / "t.db";
    const ProcessResult refused = run_splitbench(
        {"store", "import", document("runs.json", runs).string(), "--store", other.string()});
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(other));
    return refused.err.substr(refused.err.find("/runs/0/result"));
  };
  EXPECT_EQ(said([](Json& run) { run["rounds"]["sessions"] = 1000000000000000000; }),
            "/runs/0/result: at /rounds/sessions: expected at most 1000\n");
  EXPECT_EQ(said([](Json& run) {
              run["points"][0]["measured"]["tn_s"] = 5.0;
            }).rfind("/runs/0/result: at /points/0/measured/tn_s: expected a value inside of", 0),
            0U);
  EXPECT_EQ(said([](Json& run) { run["id"] = "run-7"; }),
            "/runs/0/result: at /id: expected run-0, found run-7\n");
}

TEST_F(TrackingCommands, HistoryShowsTheStep) {
  store_nights(10, std::vector<double>(10, 1.05));
  const ProcessResult json = command({"history", "--format", "json"});
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const auto history = Json::parse(json.out);
  EXPECT_EQ(history["runs"], 20);
  EXPECT_EQ(history["series"][0]["change_points"][0]["run"], "run-10");
  const ProcessResult table = command({"history", "--protocol", "synthetic"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_LE(widest_line(table.out), 80U) << table.out;
  EXPECT_NE(table.out.find("speedup: 20 runs, 1 change of level"), std::string::npos) << table.out;
  EXPECT_EQ(command({"history", "--protocol", "none"}).exit_code, 2);
  EXPECT_EQ(command({"history", "--node", "zz"}).exit_code, 2);
  const ProcessResult seldom = command({"history", "--significance", "0.0001"});
  EXPECT_EQ(seldom.exit_code, 2);
  EXPECT_NE(seldom.err.find("--significance: expected at least 0.002"), std::string::npos)
      << seldom.err;
}

TEST_F(TrackingCommands, ListsTheRunsThatAreAskedFor) {
  store_nights(40);  // to 2020-02-12
  const auto listed = [this](const std::vector<std::string>& options) {
    std::vector<std::string> all{"list", "runs", "--format", "json"};
    all.insert(all.end(), options.begin(), options.end());
    const ProcessResult result = command(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Json::parse(result.out)["runs"];
  };
  const Json all = listed({});
  ASSERT_EQ(all.size(), 40U);
  const std::string fingerprint = all[0]["fingerprint"].get<std::string>();
  EXPECT_EQ(listed({"--since", "2020-02-01"}).size(), 12U);
  EXPECT_EQ(listed({"--since", "2020-01-28", "--until", "2020-02-01"}).size(), 2U)
      << "the 28th and the 1st";
  EXPECT_EQ(listed({"--backend", "host", "--protocol", "synthetic"}).size(), 40U);
  EXPECT_EQ(listed({"--backend", "cuda"}).size(), 0U);
  EXPECT_EQ(listed({"--outcome", "partial"}).size(), 0U);
  EXPECT_EQ(listed({"--node", fingerprint.substr(0, 6)}).size(), 40U);
  for (const char* day : {"yesterday", "2020-13-01", "2020-02-30", "2020-02-01T00:00:00Z"}) {
    EXPECT_EQ(command({"list", "runs", "--since", day}).exit_code, 2) << day;
  }
  EXPECT_EQ(command({"list", "runs", "--outcome", "good"}).exit_code, 2);
  for (const char* other : {"protocols", "backends", "arms", "presets"}) {
    const ProcessResult refused = command({"list", other, "--protocol", "synthetic"});
    EXPECT_EQ(refused.exit_code, 2) << other;
    EXPECT_NE(refused.err.find("--protocol: filters runs; expected 'list runs'"), std::string::npos)
        << refused.err;
  }
  EXPECT_EQ(command({"list", "arms", "--until", "2020-02-01"}).exit_code, 2);
  EXPECT_LE(widest_line(command({"list", "runs"}).out), 80U);
}

}  // namespace
}  // namespace splitbench::test

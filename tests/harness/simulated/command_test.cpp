// The simulated backend through the command line, as any backend.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/backends/simulated/run.h"
#include "results/result_document.h"
#include "tests/support/process.h"
#include "tests/support/schema.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::json;

// d_model 1000 and 500 tokens of fp32: the documentation's base case, as a scenario and a protocol.
constexpr const char* kScenario = R"({
  "serial_s": 0.0002, "product_s": 0.003, "shard_efficiency": 0.8,
  "stamp_s": 2e-6, "stamp_all_ranks_s": 2e-6)";
constexpr const char* kProtocol = R"({
  "schema": "splitbench.protocol/1", "name": "worked", "purpose": "Are known parameters found?",
  "operations": [{"tokens": 500, "d_model": 1000, "d_ff": 4000, "layers": 4}],
  "sampling": {"sessions": 6, "rounds": 5, "block_min_s": 1e-6}})";

class Simulated : public testing::Test {
 protected:
  // A run on the scenario with more keys, `, "key": value`.
  ProcessResult run(const std::string& more_keys, const std::vector<std::string>& more = {}) {
    write("s.json", kScenario + more_keys + "}");
    write("p.json", protocol);
    std::vector<std::string> all{"run", file("p.json"), "--backend", "simulated"};
    for (const std::string& one :
         {std::string("--scenario"), file("s.json"), std::string("--format"), std::string("json"),
          std::string("--store"), file("s.db")}) {
      all.push_back(one);
    }
    all.insert(all.end(), more.begin(), more.end());
    return run_splitbench(all);
  }
  std::string file(const std::string& name) const { return (directory_ / name).string(); }

  std::string protocol = kProtocol;

 private:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
  }

  TemporaryDirectory directory_;
};

TEST_F(Simulated, IsThere) {
  const Json backends =
      Json::parse(run_splitbench({"list", "backends", "--format", "json"}).out)["backends"];
  EXPECT_EQ(backends[2]["name"], "simulated");
  EXPECT_EQ(backends[2]["available"], true);
}

// A file name of the system is any bytes; a document's texts are UTF-8 (RFC 8259, 8.1), and U+FFFD
// stands for what is none (Unicode 15, 3.9).
TEST_F(Simulated, ArgumentsThatAreNotUtf8LoseNoRun) {
  const std::string odd = file("caf\xe9");
  std::ofstream(odd + ".json") << kScenario << "}";
  std::ofstream(file("p.json")) << protocol;
  const ProcessResult result =
      run_splitbench({"run", file("p.json"), "--backend", "simulated", "--scenario", odd + ".json",
                      "--format", "json", "--store", odd + ".db", "--out", file("bad\xff.json")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json document = Json::parse(result.out);
  EXPECT_EQ(document["outcome"], "complete");
  EXPECT_EQ(document["provenance"]["command"][6], file("caf\xef\xbf\xbd.json"));
  EXPECT_EQ(document["provenance"]["command"][12], file("bad\xef\xbf\xbd.json"));
  EXPECT_EQ(Json::parse(std::ifstream(file("bad\xff.json"))), document);
  EXPECT_EQ(run_splitbench({"list", "runs", "--store", odd + ".db"}).exit_code, 0);
}

// --out is taken while the run measures, here by the store's own log: the run is complete and shown
// before it is said that the file is missing.
TEST_F(Simulated, AResultThatCannotBeWrittenIsStillShown) {
  const ProcessResult result = run("", {"--out", file("s.db-wal")});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(Json::parse(result.out)["outcome"], "complete");
  EXPECT_NE(result.err.find("s.db-wal: exists already"), std::string::npos) << result.err;
  const ProcessResult listed =
      run_splitbench({"list", "runs", "--format", "json", "--store", file("s.db")});
  EXPECT_EQ(Json::parse(listed.out)["runs"][0]["outcome"], "complete") << listed.out;
}

TEST_F(Simulated, TheResultHasTheScenariosTruthAndSaysThatItIsVirtual) {
  const ProcessResult result = run("");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json document = Json::parse(result.out);
  EXPECT_EQ(document["backend"], "simulated");
  EXPECT_EQ(document["times_are"], "virtual");
  EXPECT_EQ(document["node"]["devices"][0]["name"], "simulated device");
  EXPECT_NE(document["notes"].dump().find("no device was measured"), std::string::npos);
  const Json& point = document["points"][0];
  const auto parameter = [&](const char* name) {
    return point["parameters"][name]["value"].get<double>();
  };
  EXPECT_NEAR(parameter("serial_s"), 0.8e-3, 1e-12);
  EXPECT_NEAR(parameter("compute_s"), 12e-3, 1e-11);
  EXPECT_NEAR(parameter("efficiency"), 0.8, 1e-9);
  EXPECT_NEAR(parameter("latency_s"), 30e-6, 1e-13);
  EXPECT_NEAR(parameter("bandwidth_bytes_per_s"), 10e9, 100);
  EXPECT_NEAR(point["measured"]["tn_s"].get<double>(), 9.222e-3, 1e-11);  // 9.22 ms and 2 us
  EXPECT_EQ(point["comparison"]["model_verdict"], "holds");
  EXPECT_EQ(point["choices"]["scenario"]["shard_efficiency"], 0.8);
  EXPECT_EQ(point["choices"]["layer"]["shard_s"], 1.875e-3);
  EXPECT_EQ(point["memory_peak_bytes"].size(), 2U);
  if (schemas_can_be_checked()) {
    EXPECT_EQ(schema_errors(document, "results/schema/result.schema.json"), "");
  }
}

// One engine: what the processes of a run leave is what one call gives.
TEST_F(Simulated, TheRunIsThatOfTheLibrary) {
  const ProcessResult result = run(R"(, "noise": {"session": {"distribution": "t3", "work": 0.02},
    "state": {"sd": 0.01, "autocorrelation": 0.5}, "layer_cv": 0.05})",
                                   {"--seed", "9"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json document = Json::parse(result.out);
  simulated::Scenario scenario = simulated::load_scenario(
      document["points"][0]["choices"]["scenario"].dump(), "result", {.ranks = 2});
  RunRecord record;
  record.protocol = load_protocol(document["protocol"].dump(), "result");
  const simulated::Records records = simulated::simulate(scenario, record.protocol, 1);
  const Json own(result_document(record, records.sessions, records.rounds, RunOutcome::complete));
  EXPECT_EQ(own["points"][0]["arms"], document["points"][0]["arms"]);
  EXPECT_EQ(own["points"][0]["parameters"], document["points"][0]["parameters"]);
}

// The first look of a protocol that declares looks: without noise every prediction holds there.
TEST_F(Simulated, ARunWithEarlyStoppingEndsAtItsFirstLook) {
  const std::string early = file("early.json");
  std::ofstream(early) << R"({"schema": "splitbench.protocol/1", "name": "early",
    "purpose": "P.", "operations": [{"tokens": 500, "d_model": 1000, "d_ff": 4000}],
    "sampling": {"sessions": 20, "rounds": 2, "block_min_s": 1e-6},
    "acceptance": {"early_stopping": true}})";
  const ProcessResult result = run_splitbench(
      {"run", early, "--backend", "simulated", "--format", "json", "--store", file("early.db")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json document = Json::parse(result.out);
  EXPECT_EQ(document["outcome"], "complete");
  EXPECT_EQ(document["rounds"]["sessions"], 6);
  EXPECT_NE(document["notes"].dump().find("ended at the look at 6 of 20 sessions, as the protocol "
                                          "declares: every prediction is judged"),
            std::string::npos);
  EXPECT_EQ(document["points"][0]["comparison"]["model_verdict"], "holds");
}

// Sessions that differ by 6 % in each arm: no number of them up to 20 decides within 3 %, and it is
// said how many would.
TEST_F(Simulated, ARunThatCannotDecideSaysHowManySessionsWould) {
  const ProcessResult result =
      run(R"(, "noise": {"session": {"arm": 0.06}})", {"--sessions", "20", "--seed", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json comparison = Json::parse(result.out)["points"][0]["comparison"];
  EXPECT_EQ(comparison["model_verdict"], "inconclusive");
  EXPECT_GT(comparison["model_sessions_needed"].get<int>(), 20);
  EXPECT_NE(comparison["model_reason"].get<std::string>().find("sessions would decide"),
            std::string::npos);
}

// Times that begin half as long again and settle with 0.5 s; a round takes some 0.08 s. After 2
// rounds of warm-up they still fall, and the result says so; after 60 they do not. With 10, more
// are run, up to as many as are measured, and the session says that they were too few.
TEST_F(Simulated, TimesThatSettleAreWarmedUpOrNotSteady) {
  const std::string settling = R"(, "noise": {"state": {"sd": 0.002},
    "settling": {"size": 0.4, "time_s": 0.5}})";
  const auto warmed = [&](int rounds) {
    Json changed = Json::parse(kProtocol);
    changed["sampling"]["warmup_rounds"] = rounds;
    protocol = changed.dump();
    return Json::parse(run(settling).out);
  };
  const auto says = [](const Json& notes) {
    return notes.dump().find("not steady") != std::string::npos;
  };
  const Json cold = warmed(2);
  EXPECT_TRUE(says(cold["points"][0]["notes"]));
  EXPECT_EQ(cold["points"][0]["arms"]["full"]["steady"], false);
  EXPECT_TRUE(says(warmed(10)["notes"]));
  const Json warm = warmed(60);
  EXPECT_FALSE(says(warm["points"][0]["notes"]));
  EXPECT_FALSE(says(warm["notes"]));
  EXPECT_EQ(warm["points"][0]["arms"]["full"]["steady"], true);
}

TEST_F(Simulated, OneProcessSimulatesAnyNumberOfRanks) {
  const ProcessResult result =
      run("", {"--ranks", "1000", "--sessions", "1", "--rounds", "1", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json document = Json::parse(result.out);
  EXPECT_EQ(document["node"]["devices"].size(), 1000U);
  // 2 us, and four times 0.2 ms + 3 ms / 800 + 30 us + 2 x 999 / 1000 x 2 MB / 10 GB/s.
  EXPECT_NEAR(document["points"][0]["measured"]["tn_s"].get<double>(), 2.5354e-3, 1e-10);
}

TEST_F(Simulated, NoRequirementTakesIt) {
  const ProcessResult result = run("", {"--require-speedup", "1.1", "--require-model"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_NE(result.err.find("these times are virtual (virtual time of a simulation)"),
            std::string::npos)
      << result.err;
}

TEST_F(Simulated, AHangEndsTheRunAndNamesTheRank) {
  const ProcessResult result =
      run(R"(, "faults": [{"fault": "hang", "rank": 1, "after_s": 0.5, "session": 1}])");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_NE(result.err.find("rank 1 hangs in arm "), std::string::npos) << result.err;
  EXPECT_EQ(Json::parse(result.out)["outcome"], "partial");
}

TEST_F(Simulated, WrongDataVoidTheRun) {
  const ProcessResult result = run(R"(, "faults": [{"fault": "wrong-data", "rank": 1}])");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_NE(result.err.find("rank 1 has wrong data"), std::string::npos) << result.err;
  EXPECT_EQ(Json::parse(result.out)["outcome"], "void");
}

TEST_F(Simulated, ABadScenarioIsRefusedWhereItStands) {
  const ProcessResult result = run(R"(, "noise": {"layer_cv": -1})");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("s.json:3:"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("at /noise/layer_cv: expected a number from 0.0"), std::string::npos)
      << result.err;
  EXPECT_FALSE(std::filesystem::exists(file("s.db")));
}

TEST_F(Simulated, AScenarioIsForSimulatedDevicesAlone) {
  const ProcessResult result =
      run_splitbench({"run", "--backend", "host", "--scenario", file("none.json")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--backend simulated"), std::string::npos) << result.err;
  const ProcessResult missing =
      run_splitbench({"run", "--backend", "simulated", "--scenario", file("none.json")});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("none.json: cannot be read"), std::string::npos) << missing.err;
}

}  // namespace
}  // namespace splitbench::test

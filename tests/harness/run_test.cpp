// Whole runs on CPU cores through the command line.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/harness/small_run.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

nlohmann::json document_of(const ProcessResult& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

TEST(Run, MeasuresPredictsAndStores) {
  const TemporaryDirectory directory;
  const auto store = directory / "s.db";
  const auto out = directory / "result.json";
  const auto document = document_of(run_splitbench(
      small_run(store, {"--sessions", "3", "--rounds", "2", "--out", out.string()})));
  EXPECT_EQ(document["schema"], "splitbench.result/1");
  EXPECT_EQ(document["backend"], "host");
  EXPECT_EQ(document["times_are"], "measured");
  EXPECT_EQ(document["outcome"], "complete");
  const auto& point = document["points"][0];
  EXPECT_EQ(point["correctness"]["passed"], true);
  EXPECT_EQ(point["message_bytes"], 2 * 64 * 4);
  EXPECT_EQ(point["wire_bytes"], 2 * 64 * 4);  // two ranks: 2 (N-1)/N = 1
  EXPECT_EQ(point["collectives"], 2);
  EXPECT_EQ(point["launch"], "direct");
  for (const char* arm : {"empty", "serial", "full", "shard", "shard_alone", "collective",
                          "unsplit", "split", "split_without_collective", "twin"}) {
    EXPECT_GT(point["arms"][arm]["median_s"].get<double>(), 0.0) << arm;
    EXPECT_EQ(point["arms"][arm]["sessions"], 3) << arm;
  }
  EXPECT_EQ(point["memory_peak_bytes"].size(), 2);

  std::stringstream written;
  written << std::ifstream(out).rdbuf();
  EXPECT_EQ(nlohmann::json::parse(written.str()), document);
  const auto runs = stored_runs(store);
  ASSERT_EQ(runs.size(), 1);
  EXPECT_EQ(runs[0]["outcome"], "complete");
  EXPECT_EQ(runs[0]["rounds"], 6);
}

TEST(Run, ItsDocumentsAreValidAgainstTheSchema) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const TemporaryDirectory directory;
  const std::string schema = "results/schema/result.schema.json";
  for (const char* sessions : {"1", "3"}) {
    const auto document = document_of(
        run_splitbench(small_run(directory / "s.db", {"--sessions", sessions, "--rounds", "2"})));
    EXPECT_EQ(schema_errors(document, schema), "") << sessions;
  }
}

TEST(Run, ScreenSaysThatItIsNoGpu) {
  const TemporaryDirectory directory;
  auto arguments = small_run(directory / "s.db", {"--sessions", "2", "--rounds", "1"});
  arguments[std::find(arguments.begin(), arguments.end(), "json") - arguments.begin()] = "table";
  const ProcessResult result = run_splitbench(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("not a GPU"), std::string::npos) << result.out;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Run, FourRanksAndFlushedCaches) {
  const TemporaryDirectory directory;
  const auto document = document_of(
      run_splitbench(small_run(directory / "s.db", {"--ranks", "4", "--sessions", "2", "--rounds",
                                                    "1", "--cache", "flushed"})));
  const auto& point = document["points"][0];
  EXPECT_EQ(point["ranks"], 4);
  EXPECT_EQ(point["cache"], "flushed");
  EXPECT_EQ(point["correctness"]["passed"], true);
  EXPECT_EQ(point["wire_bytes"], 2 * 64 * 4 * 3 / 2);  // 2 (N-1)/N = 1.5
}

TEST(Run, AFixedRequirementDecidesTheExitCode) {
  const TemporaryDirectory directory;
  const auto code = [&](const std::vector<std::string>& more) {
    auto options = std::vector<std::string>{"--sessions", "2", "--rounds", "1"};
    options.insert(options.end(), more.begin(), more.end());
    return run_splitbench(small_run(directory / "s.db", options)).exit_code;
  };
  // Beyond any interval that a machine, however noisy, can have.
  EXPECT_EQ(code({"--require-speedup", "1e-300"}), 0);
  EXPECT_EQ(code({"--require-speedup", "1e300"}), 1);
}

// Layers so narrow that whole outputs are zero: random data says nothing there, exact cases do.
TEST(Run, WhereTheBoundSaysNothingTheExactChecksCountAndItIsSaid) {
  const TemporaryDirectory directory;
  const auto document = document_of(
      run_splitbench({"run",        "--backend", "host",      "--oversubscribe",
                      "--tokens",   "1",         "--d-model", "2",
                      "--d-ff",     "2",         "--layers",  "64",
                      "--sessions", "1",         "--rounds",  "1",
                      "--format",   "json",      "--store",   (directory / "s.db").string()}));
  EXPECT_EQ(document["points"][0]["correctness"]["passed"], true);
  EXPECT_EQ(document["points"][0]["correctness"]["bound_informative"], false);
  EXPECT_NE(document["points"][0]["notes"].dump().find("not informative"), std::string::npos);
}

TEST(Run, ManyLayersStayWithinTheTableOfTimes) {
  const TemporaryDirectory directory;
  const auto protocol = directory / "deep.json";
  std::ofstream(protocol) << R"({"schema": "splitbench.protocol/1", "name": "deep", "purpose": "P.",
    "operations": [{"tokens": 1, "d_model": 16, "d_ff": 32, "layers": 2048, "dtype": "fp32"}],
    "sampling": {"sessions": 1, "rounds": 2, "warmup_rounds": 1, "block_min_s": 0.5,
                 "block_max_s": 0.5}})";
  const auto document =
      document_of(run_splitbench({"run", protocol.string(), "--backend", "host", "--oversubscribe",
                                  "--format", "json", "--store", (directory / "s.db").string()}));
  // 131072 times a rank, 1 + 2048 a repeat: 63 repeats in each of 2 rounds, of 2 ranks' maximum.
  EXPECT_LE(document["points"][0]["arms"]["shard"]["samples"].get<int>(), 2 * 63);
}

TEST(Run, AFullStandardErrorDoesNotEndIt) {
  const TemporaryDirectory directory;
  std::string command = "'" SPLITBENCH_PROGRAM "'";
  for (const std::string& argument :
       small_run(directory / "s.db", {"--sessions", "1", "--rounds", "1"})) {
    command += " " + argument;
  }
  const ProcessResult result = Program("/bin/sh", {"-c", command + " 2>/dev/full"}).wait();
  EXPECT_EQ(document_of(result)["outcome"], "complete");
}

TEST(Run, OneAllowedCoreIsTooFew) {
  const TemporaryDirectory directory;
  cpu_set_t former;
  ASSERT_EQ(sched_getaffinity(0, sizeof former, &former), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &former)) CPU_SET(cpu, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const ProcessResult result =
      run_splitbench({"run", "--backend", "host", "--store", (directory / "s.db").string()});
  sched_setaffinity(0, sizeof former, &former);
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_NE(result.err.find("2 ranks need 2 CPU cores; 1 can be used here"), std::string::npos)
      << result.err;
}

TEST(Run, TooLittleMemoryIsTheEnvironmentsFaultAndNothingIsStored) {
  const TemporaryDirectory directory;
  const auto store = directory / "s.db";
  const ProcessResult result =
      run_splitbench({"run", "--backend", "host", "--oversubscribe", "--d-model", "1000000",
                      "--d-ff", "1000000", "--store", store.string()});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_NE(result.err.find("GB can be used here\nTo mend it: "), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(store));
}

// 17 million weights and their float64 products: more than 0.1 s anywhere.
TEST(Run, ABudgetThatVerifyingAloneExceedsIsSaidBeforeTheRounds) {
  const TemporaryDirectory directory;
  const ProcessResult result = run_splitbench({"run",        "--backend",
                                               "host",       "--oversubscribe",
                                               "--tokens",   "1",
                                               "--layers",   "8",
                                               "--d-ff",     "2048",
                                               "--d-model",  "512",
                                               "--budget",   "100ms",
                                               "--rounds",   "1",
                                               "--sessions", "6",
                                               "--format",   "json",
                                               "--store",    (directory / "s.db").string()});
  const std::string note = "preparing and verifying alone take more than the budget of 0.1 s";
  EXPECT_NE(document_of(result)["notes"].dump().find(note), std::string::npos);
  const std::size_t said = result.err.find(note);
  EXPECT_LT(said, result.err.find("session 1 of 6 stored")) << result.err;
}

TEST(Run, DryRunPrintsThePlanAndStoresNothing) {
  const TemporaryDirectory directory;
  const auto store = directory / "s.db";
  const ProcessResult first = run_splitbench({"run", "--dry-run", "--store", store.string()});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.out.find("all ranks"), std::string::npos);
  EXPECT_EQ(first.out, run_splitbench({"run", "--dry-run"}).out);
  EXPECT_NE(first.out, run_splitbench({"run", "--dry-run", "--seed", "2"}).out);
  EXPECT_FALSE(std::filesystem::exists(store));
}

TEST(Run, WithoutOversubscriptionTooManyRanksAreRefusedWithTheMendingLine) {
  const TemporaryDirectory directory;
  const ProcessResult result =
      run_splitbench({"run", "--backend", "host", "--ranks", "128", "--d-ff", "1024", "--d-model",
                      "64", "--store", (directory / "s.db").string()});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("--oversubscribe"), std::string::npos) << result.err;
}

TEST(Run, OversubscriptionIsLabelled) {
  const TemporaryDirectory directory;
  const auto document = document_of(run_splitbench(
      small_run(directory / "s.db", {"--devices", "0,0", "--sessions", "2", "--rounds", "1"})));
  EXPECT_NE(document["notes"].dump().find("share CPU cores"), std::string::npos);
  EXPECT_EQ(document["node"]["links"][0]["path"], "same-device");
}

TEST(List, NamesWhatThereIs) {
  const auto backends = nlohmann::json::parse(
      run_splitbench({"list", "backends", "--format", "json"}).out)["backends"];
  EXPECT_EQ(backends[0]["name"], "cuda");
  EXPECT_EQ(backends[1]["name"], "host");
  for (const auto& backend : backends) {  // why not, and what mends it, exactly where it is not
    EXPECT_EQ(backend["reason"].is_null(), backend["available"].get<bool>()) << backend;
    EXPECT_EQ(backend["mend"].is_null(), backend["available"].get<bool>()) << backend;
  }
  for (const auto& [what, header] : {std::pair{"backends", "backend    here  what it measures\n"},
                                     std::pair{"protocols", "protocol       purpose\n"}}) {
    const std::string table = run_splitbench({"list", what}).out;
    EXPECT_EQ(table.substr(0, table.find('\n') + 1), header);
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
  EXPECT_NE(run_splitbench({"list", "protocols"}).out.find("exact-example"), std::string::npos);
  EXPECT_NE(run_splitbench({"list", "arms"}).out.find("split_without_collective"),
            std::string::npos);
}

}  // namespace
}  // namespace splitbench::test

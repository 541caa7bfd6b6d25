// The program that users run, on stand-in devices: ways to run, what it refuses, and what it says
// when something breaks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <regex>
#include <set>
#include <string>

#include "tests/harness/cuda/standin_run.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::json;

const Json kOperation{{"tokens", 4}, {"d_model", 32}, {"d_ff", 64}, {"layers", 2}};
const std::vector<std::string> kShort{"--sessions", "1", "--rounds", "1"};

TEST(StandinModes, EagerLaunchesAreMeasuredAndLabelled) {
  StandinRun here(Json{{"devices", 2}});
  const Json result = here.result(here.protocol({kOperation}, {{"launch", "eager"}}), kShort);
  const Json& point = result["points"][0];
  EXPECT_EQ(point["launch"], "eager");
  EXPECT_GT(point["arms"]["split"]["median_s"].get<double>(), 0.0);
  EXPECT_GT(result["health"]["sessions"][0]["start_up_s"].get<double>(), 0.0);
  EXPECT_GT(point["measured"]["speedup"]["value"].get<double>(), 0.0);
  EXPECT_TRUE(point["predicted"]["tn_s"].is_null());
}

TEST(StandinModes, CachesAreFlushedAndThatIsLabelled) {
  StandinRun here(Json{{"devices", 2}});
  const Json result = here.result(here.protocol({kOperation}, {{"cache", "flushed"}}), kShort);
  EXPECT_EQ(result["points"][0]["cache"], "flushed");
  EXPECT_GT(result["points"][0]["arms"]["collective"]["median_s"].get<double>(), 0.0);
}

// A collective back to back costs what one alone does: nobody waits for anybody on stand-ins.
TEST(StandinModes, CollectivesBackToBackAreTimedToo) {
  StandinRun here(Json{{"devices", 2}});
  const Json result = here.result(here.protocol({kOperation}), kShort);
  const Json& p = result["points"][0]["parameters"];
  const double alone = p["collective_s"]["value"].get<double>();
  EXPECT_NEAR(p["collective_pipelined_s"]["value"].get<double>(), alone, 0.001 * alone);
}

// What is recorded of how it was measured, and pinned: later sessions make the same choices.
TEST(StandinModes, ChoicesAreRecorded) {
  StandinRun here(Json{{"devices", 2}});
  const Json result =
      here.result(here.protocol({kOperation}), {"--sessions", "2", "--rounds", "1"});
  const Json& choices = result["points"][0]["choices"];
  EXPECT_EQ(choices["in_place"], true);
  EXPECT_TRUE(choices.contains("nccl_estimate_s"));
  EXPECT_TRUE(choices["time_source"] == "events" || choices["time_source"] == "device-timer");
  // Row-major without padding: x 4 x 32 and A 32 x 32 (half of d_ff) make hidden 4 x 32.
  EXPECT_EQ(choices["products"]["shard"]["up"]["leading"], Json({32, 32, 32}));
  EXPECT_EQ(choices["products"]["full"]["up"]["leading"], Json({32, 64, 64}));
  EXPECT_EQ(choices["products"]["full"]["up"]["compute_type"], "32F");
  for (const char* library : {"cuda_runtime_library", "cublaslt_library", "nccl_library"}) {
    EXPECT_NE(result["node"]["software"][library].get<std::string>(), "") << library;
  }
}

// d_model 128, d_ff 1024, 4 layers in fp32: whole weights 4 x 2 x 128 x 1024 x 4 = 4.2 MB, a share
// 2.1 MB. Of 40 MB the products' workspace takes 33.6 MB, and 2 MB are left to the libraries: no
// room for the whole beside its share.
TEST(StandinModes, WhatDoesNotFitOneDeviceIsMeasuredSplit) {
  StandinRun here(Json{{"devices", 2}, {"memory_bytes", 40'000'000}});
  const Json operation{{"tokens", 4}, {"d_model", 128}, {"d_ff", 1024}, {"layers", 4}};
  const Json result = here.result(here.protocol({operation}), {"--sessions", "2", "--rounds", "1"});
  EXPECT_EQ(schema_errors(result, "results/schema/result.schema.json"), "");
  EXPECT_EQ(result["outcome"], "complete");
  const Json& point = result["points"][0];
  EXPECT_EQ(point["comparison"]["split_verdict"], "fits-only-split");
  EXPECT_TRUE(point["measured"]["t1_s"].is_null());
  EXPECT_TRUE(point["measured"]["speedup"].is_null());
  EXPECT_EQ(point["reasons"]["measured.speedup"], "the operation does not fit on one device");
  for (const char* arm : {"full", "unsplit", "twin"}) {
    EXPECT_TRUE(point["arms"][arm].is_null()) << arm;
  }
  EXPECT_GT(point["measured"]["tn_s"].get<double>(), 0.0);
  EXPECT_EQ(point["comparison"]["model_verdict"], "holds");
}

// A share of 2 layers of 256 x 2048 in fp32 has 2 x 2 x 256 x 1024 x 4 = 4.19 MB of weights, beside
// the products' 32 MiB = 33.55 MB: 37.75 MB and some buffers. Whoever is told what it takes and
// finds a device that has it can run.
TEST(StandinModes, WhatAShareTakesIsSaidBeforeAnythingRuns) {
  const Json operation{{"tokens", 2}, {"d_model", 256}, {"d_ff", 2048}, {"layers", 2}};
  std::string needed;
  for (const std::int64_t memory : {20'000'000, 30'000'000, 37'000'000, 37'748'736}) {
    StandinRun here(Json{{"devices", 2}, {"memory_bytes", memory}});
    const ProcessResult ended = here.try_run(here.protocol({operation}));
    EXPECT_EQ(ended.exit_code, 3) << ended.err;
    std::smatch found;
    ASSERT_TRUE(std::regex_search(ended.err, found,
                                  std::regex("needs (\\S+) GB; splitbench stand-in device 0 .*"
                                             " has (\\S+) GB")))
        << ended.err;
    EXPECT_NE(found[1], found[2]) << ended.err;
    EXPECT_GT(std::stod(found[1]), 0.0377);
    EXPECT_LT(std::stod(found[1]), 0.0393);
    needed = found[1];
  }
  // The text may be rounded down, by less than the last digit's half.
  const auto enough = static_cast<std::int64_t>(std::ceil(std::stod(needed) * 1.001 * 1e9));
  StandinRun here(Json{{"devices", 2}, {"memory_bytes", enough}});
  const Json result = here.result(here.protocol({operation}), kShort);
  EXPECT_EQ(result["points"][0]["comparison"]["split_verdict"], "fits-only-split");
}

struct Refusal {
  Json scenario;
  const char* variable;  // set to 1; null: none
  std::string says;
  std::string mend;
};

TEST(StandinModes, WhatCannotBeMeasuredHereIsRefusedWithTheLineThatMendsIt) {
  const Refusal refusals[] = {
      {{{"devices", 1}}, nullptr, "2 ranks need 2 devices; 1 is visible", "two GPUs"},
      {{{"devices", 0}}, nullptr, "no CUDA device is visible", "nvidia-smi"},
      {{{"devices", 2}, {"faults", Json::array({"error-802"})}},
       nullptr,
       "fabric manager",
       "nvidia-fabricmanager"},
      {{{"devices", 2}},
       "NVIDIA_TF32_OVERRIDE",
       "NVIDIA_TF32_OVERRIDE is set to '1'",
       "unset NVIDIA_TF32_OVERRIDE"},
      {{{"devices", 2}},
       "CUDA_LAUNCH_BLOCKING",
       "every launch would wait",
       "unset CUDA_LAUNCH_BLOCKING"},
      {{{"devices", 2}},
       "CUBLAS_EMULATE_SINGLE_PRECISION",
       "by emulation",
       "unset CUBLAS_EMULATE_SINGLE_PRECISION"},
  };
  for (const Refusal& refusal : refusals) {
    StandinRun here(refusal.scenario);
    if (refusal.variable != nullptr) setenv(refusal.variable, "1", 1);
    const ProcessResult ended = here.try_run(here.protocol({kOperation}));
    if (refusal.variable != nullptr) unsetenv(refusal.variable);
    EXPECT_EQ(ended.exit_code, 3) << ended.err;
    EXPECT_NE(ended.err.find(refusal.says), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find("To mend it: "), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find(refusal.mend), std::string::npos) << ended.err;
  }
}

// docs/stand-ins.md: no gate takes such a result, however fast its split is.
TEST(StandinModes, NoTimeOfAStandInSatisfiesARequirement) {
  StandinRun here(Json{{"devices", 2}});
  const std::string protocol = here.protocol({kOperation});
  for (const std::vector<std::string>& requirement :
       {std::vector<std::string>{"--require-speedup", "0.0001"},
        std::vector<std::string>{"--require-model"}}) {
    const ProcessResult ended = here.try_run(protocol, requirement);
    EXPECT_EQ(ended.exit_code, 4) << ended.err;
    EXPECT_NE(ended.err.find("no gate takes them"), std::string::npos) << ended.err;
    EXPECT_EQ(Json::parse(ended.out)["outcome"], "complete");
  }
}

// Rank 1 computes wrong numbers from some occasion on, all of them long after the first checks.
TEST(StandinModes, WrongResultsThatBeginLaterVoidTheRun) {
  std::set<std::string> found;
  for (const int after : {40, 120}) {
    SCOPED_TRACE(after);
    const Json fault{{"fault", "wrong-result"}, {"after", after}, {"rank", 1}};
    StandinRun here(Json{{"devices", 2}, {"faults", Json::array({fault})}});
    const ProcessResult ended = here.try_run(here.protocol({kOperation}), kShort);
    EXPECT_EQ(ended.exit_code, 5) << ended.err;
    EXPECT_NE(ended.err.find("wrong results at 4 tokens"), std::string::npos) << ended.err;
    const Json result = Json::parse(ended.out);
    EXPECT_EQ(result["outcome"], "void");
    EXPECT_EQ(result["points"][0]["correctness"]["passed"], false);
    const auto failure = result["points"][0]["correctness"]["failure"].get<std::string>();
    found.insert(failure.substr(0, failure.find(':')));
  }
  EXPECT_EQ(found, (std::set<std::string>{"after warm-up", "after the last round"}));
}

// A name tells what could have mattered; a value may tell of a host or a person.
TEST(StandinModes, OfUnknownVariablesTheNameAloneIsRecorded) {
  setenv("NCCL_ALGO", "Ring", 1);
  setenv("NCCL_TOPO_FILE", "/home/somebody/topology.xml", 1);
  setenv("CUDA_LAUNCH_BLOCKING", "", 1);
  StandinRun here(Json{{"devices", 2}});
  const Json result = here.result(here.protocol({kOperation}), kShort);
  for (const char* name : {"NCCL_ALGO", "NCCL_TOPO_FILE", "CUDA_LAUNCH_BLOCKING"}) unsetenv(name);
  const Json& recorded = result["node"]["software"]["environment"];
  EXPECT_EQ(recorded["NCCL_ALGO"], "Ring");
  EXPECT_EQ(recorded["NCCL_TOPO_FILE"], "(set)");
  EXPECT_EQ(result.dump().find("somebody"), std::string::npos);
}

constexpr const char* kSharedGpu =
    "ranks share a GPU (--oversubscribe): times say nothing of a split over GPUs";

// Everything is there, and nothing is judged.
void expect_no_verdict(const Json& result) {
  EXPECT_EQ(schema_errors(result, "results/schema/result.schema.json"), "");
  EXPECT_EQ(result["outcome"], "complete");
  EXPECT_EQ(result["notes"][0], kSharedGpu);
  EXPECT_EQ(result["node"]["no_verdict"], kSharedGpu);
  EXPECT_EQ(result["node"]["devices"].size(), 2U);
  EXPECT_EQ(result["node"]["devices"][0], result["node"]["devices"][1]);
  EXPECT_EQ(result["node"]["links"][0]["path"], "same-device");
  for (const Json& point : result["points"]) {
    EXPECT_EQ(point["correctness"]["passed"], true) << point["correctness"];
    EXPECT_GT(point["arms"]["split"]["median_s"].get<double>(), 0.0);
    for (const char* verdict : {"model", "fit", "split"}) {
      EXPECT_EQ(point["comparison"][std::string(verdict) + "_verdict"], "inconclusive") << verdict;
      EXPECT_NE(point["comparison"][std::string(verdict) + "_reason"].dump().find(kSharedGpu),
                std::string::npos)
          << point["comparison"];
    }
    EXPECT_TRUE(point["predicted"]["tn_s"].is_null());
    EXPECT_EQ(point["reasons"]["predicted.tn_s"], kSharedGpu);
  }
}

// y = [-3, 9], docs/rules.md "Correctness": the check compares with it bit for bit.
TEST(StandinModes, TwoRanksOnOneGpuComputeTheExactExample) {
  StandinRun here(Json{{"devices", 1}});
  const Json result = here.result(
      "exact-example", {"--devices", "0,0", "--oversubscribe", "--sessions", "1", "--rounds", "1"});
  expect_no_verdict(result);
  EXPECT_EQ(result["points"][0]["correctness"]["exact_example_passed"], true);
  const Json environment = result["node"]["software"]["rank_environment"];
  for (const char* entry :
       {"NCCL_P2P_DISABLE=1", "NCCL_SHM_DISABLE=1", "NCCL_NET=Socket", "NCCL_SOCKET_IFNAME=lo"}) {
    EXPECT_EQ(std::count(environment.begin(), environment.end(), entry), 1) << entry;
  }
}

TEST(StandinModes, RanksGoAroundAgainWhereGpusAreFewer) {
  StandinRun here(Json{{"devices", 1}});
  expect_no_verdict(here.result(here.protocol({kOperation}), {"--ranks", "2", "--oversubscribe",
                                                              "--sessions", "2", "--rounds", "1"}));
}

TEST(StandinModes, LeaveToShareChangesNothingWhereThereAreGpusEnough) {
  StandinRun here(Json{{"devices", 2}});
  std::vector<std::string> options = kShort;
  options.emplace_back("--oversubscribe");
  const Json result = here.result(here.protocol({kOperation}), options);
  EXPECT_FALSE(result["node"].contains("no_verdict"));
  EXPECT_NE(result["node"]["devices"][0], result["node"]["devices"][1]);
}

TEST(StandinModes, RanksShareAGpuOnlyWhereThatIsAsked) {
  StandinRun here(Json{{"devices", 2}});
  const ProcessResult ended = here.try_run(here.protocol({kOperation}), {"--devices", "1,1"});
  EXPECT_EQ(ended.exit_code, 2) << ended.err;
  EXPECT_NE(ended.err.find("device 1 is named twice"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("--oversubscribe"), std::string::npos) << ended.err;
}

TEST(StandinModes, NoTimeOfRanksOnOneGpuSatisfiesARequirement) {
  StandinRun here(Json{{"devices", 1}});
  std::vector<std::string> options = kShort;
  options.insert(options.end(), {"--oversubscribe", "--require-speedup", "0.0001"});
  const ProcessResult ended = here.try_run(here.protocol({kOperation}), options);
  EXPECT_EQ(ended.exit_code, 4) << ended.err;
  EXPECT_NE(ended.err.find(std::string(kSharedGpu) + ", and satisfy no requirement"),
            std::string::npos)
      << ended.err;
}

// A share of 2 layers of 768 x 3072 in fp32 has 18.9 MB of weights beside 33.6 MB: 52.4 MB and some
// buffers. Two take twice that.
TEST(StandinModes, WhatRanksOnOneGpuTakeAddsUp) {
  const Json operation{{"tokens", 4}, {"d_model", 768}, {"d_ff", 3072}, {"layers", 2}};
  StandinRun here(Json{{"devices", 1}, {"memory_bytes", 100'000'000}});
  const ProcessResult ended = here.try_run(here.protocol({operation}), {"--oversubscribe"});
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
  std::smatch found;
  ASSERT_TRUE(std::regex_search(ended.err, found,
                                std::regex("2 of 2 shares of all operations need (\\S+) GB; ")))
      << ended.err;
  EXPECT_GT(std::stod(found[1]), 2 * 0.0524);
  EXPECT_LT(std::stod(found[1]), 2 * 0.0545);  // three digits are shown
}

struct Breakage {
  Json fault;
  std::string says;
  bool hangs_when_given_up = false;
};

// Rank 1 breaks; the supervisor ends the others and says who it was.
TEST(StandinModes, WhatBreaksDuringARunEndsItAndIsNamed) {
  const Breakage breakages[] = {
      // Which call meets an asynchronous error first is not fixed.
      {{{"fault", "sticky-error"}, {"rank", 1}, {"after", 200}}, "rank 1"},
      {{{"fault", "hang-in-collective"}, {"rank", 1}, {"after", 40}}, "did not finish its work"},
      {{{"fault", "async-error"}, {"rank", 1}, {"after", 40}}, "NCCL met an error"},
      {{{"fault", "async-error"}, {"rank", 1}, {"after", 40}}, "NCCL met an error", true},
  };
  for (const Breakage& breakage : breakages) {
    Json faults = Json::array({breakage.fault});
    if (breakage.hangs_when_given_up) faults.push_back("hang-in-abort");
    StandinRun here(Json{{"devices", 2}, {"faults", faults}});
    const ProcessResult ended = here.try_run(here.protocol({kOperation}), {"--deadline", "2s"});
    EXPECT_EQ(ended.exit_code, 5) << ended.err;
    EXPECT_NE(ended.err.find(breakage.says), std::string::npos) << ended.err;
    EXPECT_EQ(ended.err.find("\nTo mend it"), std::string::npos) << ended.err;
    EXPECT_EQ(Json::parse(ended.out)["notes"].dump().find("\\n"), std::string::npos) << ended.out;
  }
}

}  // namespace
}  // namespace splitbench::test

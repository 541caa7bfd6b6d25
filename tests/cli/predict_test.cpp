// `splitbench predict` as its users run it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace splitbench::test {
namespace {

using Arguments = std::vector<std::string>;

Arguments base_case(const Arguments& more = {}) {
  Arguments all{"predict",      "--serial", "0.8ms",         "--compute",   "12ms",
                "--efficiency", "0.8",      "--collectives", "4",           "--latency",
                "30us",         "--bytes",  "2MB",           "--bandwidth", "10GB/s"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

nlohmann::json document(const Arguments& arguments) {
  const ProcessResult result = run_splitbench(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return nlohmann::json::parse(result.out);
}

TEST(Predict, JsonHasEveryKeyOfTheContract) {
  const auto json = document(base_case({"--format", "json"}));
  EXPECT_EQ(json["schema"], "splitbench.prediction/1");
  for (const char* key :
       {"inputs", "t1_s", "communication_s", "tn_s", "speedup", "parallel_efficiency",
        "break_even_compute_s", "min_bandwidth_bytes_per_s", "min_efficiency", "max_latency_s",
        "overlap_bound_s", "split_verdict", "reasons"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_NEAR(json["tn_s"].get<double>(), 9.22e-3, 1e-14);
  EXPECT_EQ(json["inputs"]["latency_s"].get<double>(), 30e-6);
  EXPECT_EQ(json["split_verdict"], "faster");
}

TEST(Predict, WhatHasNoAnswerIsNullWithItsReason) {
  auto arguments = base_case({"--format", "json"});
  arguments[6] = "0.5";
  const auto json = document(arguments);
  EXPECT_TRUE(json["break_even_compute_s"].is_null());
  EXPECT_TRUE(json["min_bandwidth_bytes_per_s"].is_null());
  EXPECT_FALSE(json["reasons"]["break_even_compute_s"].get<std::string>().empty());
  EXPECT_FALSE(json["reasons"]["min_bandwidth_bytes_per_s"].get<std::string>().empty());
  EXPECT_FALSE(json["reasons"].contains("speedup"));
}

TEST(Predict, ImpossibleEfficiencyIsANumberWithANote) {
  auto arguments = base_case({"--format", "json"});
  arguments[4] = "1ms";
  const auto json = document(arguments);
  EXPECT_NEAR(json["min_efficiency"].get<double>(), 6.25, 1e-9);
  EXPECT_EQ(json["notes"][0], "min_efficiency is above 1: not by local tuning alone");
  EXPECT_EQ(json["split_verdict"], "slower");
}

TEST(Predict, InfiniteBandwidthIsNullAmongTheInputs) {
  auto arguments = base_case({"--format", "json"});
  arguments.at(14) = "inf";
  const auto json = document(arguments);
  EXPECT_TRUE(json["inputs"]["bandwidth_bytes_per_s"].is_null());
  EXPECT_TRUE(json["reasons"].contains("inputs.bandwidth_bytes_per_s"));
  EXPECT_NEAR(json["communication_s"].get<double>(), 0.12e-3, 1e-15);
}

TEST(Predict, SweepFindsTheBreakEven) {
  const auto json =
      document(base_case({"--format", "json", "--sweep", "compute=0.5ms:64ms:log:50"}));
  ASSERT_EQ(json["sweep"].size(), 50);
  EXPECT_EQ(json["sweep"][0]["inputs"]["compute_s"], 0.5e-3);
  EXPECT_EQ(json["sweep"][49]["inputs"]["compute_s"], 64e-3);
  ASSERT_EQ(json["faster_intervals"].size(), 1);
  // C* of the worked base case, from the documentation's table.
  EXPECT_NEAR(json["faster_intervals"][0]["from_s"].get<double>(), 2.453333333e-3, 1e-12);
  EXPECT_EQ(json["faster_intervals"][0]["to_s"], 64e-3);
  EXPECT_EQ(json["faster_intervals"][0]["to_is_last"], true);
  EXPECT_EQ(json["faster_intervals"][0]["from_is_first"], false);
}

TEST(Predict, SweepOverAWholeNumberVisitsEachOnce) {
  const auto json = document(base_case({"--format", "json", "--sweep", "ranks=1:4:lin:20"}));
  ASSERT_EQ(json["sweep"].size(), 4);
  // One rank at eta 0.8 loses; two and more win.
  EXPECT_EQ(json["faster_intervals"][0]["from"], 2);
}

TEST(Predict, SweepOverAFallingGainEndsWhereTheSplitStopsPaying) {
  const auto json = document(base_case({"--format", "json", "--sweep", "latency=1us:10ms:log:30"}));
  // l_max of the base case by hand: 1.125 ms - 0.2 ms.
  EXPECT_NEAR(json["faster_intervals"][0]["to_s"].get<double>(), 0.925e-3, 1e-12);
  EXPECT_EQ(json["faster_intervals"][0]["from_is_first"], true);
  EXPECT_EQ(json["faster_intervals"][0]["to_is_last"], false);
}

TEST(Predict, SweptParameterNeedNotBeGiven) {
  const auto json =
      document({"predict", "--serial", "0.8ms", "--efficiency", "0.8", "--collectives", "4",
                "--latency", "30us", "--bytes", "2MB", "--bandwidth", "10GB/s", "--sweep",
                "compute=1ms:12ms:lin:2", "--format", "json"});
  EXPECT_NEAR(json["sweep"][1]["tn_s"].get<double>(), 9.22e-3, 1e-14);
}

TEST(Predict, WithoutCollectivesNoLinkIsAskedFor) {
  const auto json = document({"predict", "--serial", "1ms", "--compute", "8ms", "--efficiency", "1",
                              "--collectives", "0", "--format", "json"});
  EXPECT_NEAR(json["tn_s"].get<double>(), 5e-3, 1e-15);
  EXPECT_EQ(json["communication_s"], 0);
}

TEST(Predict, CasesCarryTheExactExampleAndTheTable) {
  const auto json = document({"predict", "--cases", "--format", "json"});
  EXPECT_EQ(json["exact_example"]["partial_outputs"][0], nlohmann::json::parse("[[1,1]]"));
  EXPECT_EQ(json["exact_example"]["partial_outputs"][1], nlohmann::json::parse("[[-4,8]]"));
  EXPECT_EQ(json["exact_example"]["sum"], nlohmann::json::parse("[[-3,9]]"));
  EXPECT_EQ(json["cases"].size(), 6);
  const ProcessResult table = run_splitbench({"predict", "--cases"});
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_NE(table.out.find("all-reduce gives [-3, 9], the unsplit operation gives [-3, 9]: equal"),
            std::string::npos);
  EXPECT_NE(table.out.find("1.388286  2.453333  1.826484  0.5415"), std::string::npos);
}

TEST(Predict, Replicas) {
  const auto json = document({"predict", "--replicas", "64", "--samples-per-second", "2000",
                              "--scaling-efficiency", "0.9", "--format", "json"});
  EXPECT_DOUBLE_EQ(json["actual_samples_per_s"].get<double>(), 115200);
  EXPECT_DOUBLE_EQ(json["speedup"].get<double>(), 57.6);
}

TEST(Predict, Jobs) {
  const auto json = document({"predict", "--jobs", "8x12min", "--devices", "2", "--assembly",
                              "10min", "--format", "json"});
  EXPECT_EQ(json["one_device_s"], 106 * 60);
  EXPECT_EQ(json["schedules"][0]["total_s"], 58 * 60);
  EXPECT_EQ(json["schedules"][0]["device_idle_s"][1], 0);
}

TEST(Predict, EveryTableFitsEightyColumns) {
  for (const Arguments& arguments :
       {Arguments{"predict", "--cases"}, base_case(),
        base_case({"--sweep", "compute=0.5ms:64ms:log:8"}), base_case({"--ranks", "512"}),
        Arguments{"predict", "--jobs", "3x12min,1h", "--devices", "2"}}) {
    const ProcessResult result = run_splitbench(arguments);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    std::size_t begin = 0;
    while (begin < result.out.size()) {
      const std::size_t end = result.out.find('\n', begin);
      const std::string line = result.out.substr(begin, end - begin);
      // A reason may be a long sentence; the tables may not.
      if (line.rfind("      ", 0) != 0) {
        EXPECT_LE(line.size(), 80U) << line;
      }
      begin = end + 1;
    }
  }
}

TEST(Program, HelpAndVersion) {
  const ProcessResult help = run_splitbench({"predict", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("Example:"), std::string::npos);
  const ProcessResult version = run_splitbench({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.rfind("splitbench ", 0), 0U);
}

}  // namespace
}  // namespace splitbench::test

// The program that users run, on stand-in devices: what it says of their health, and which rounds
// it therefore leaves out.
#include <gtest/gtest.h>

#include <string>

#include "tests/harness/cuda/standin_run.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::json;

// One session of two rounds on two devices with these faults.
Json run_with(const Json& faults) {
  StandinRun here(Json{{"devices", 2}, {"faults", faults}});
  const Json operation{{"tokens", 4}, {"d_model", 32}, {"d_ff", 64}, {"layers", 2}};
  return here.result(here.protocol({operation}), {"--sessions", "1", "--rounds", "2"});
}

bool noted(const Json& result, const std::string& note) {
  return result["notes"].dump().find(note) != std::string::npos;
}

// The stand-in's clocks are those of an H100 SXM; it lists no process, as some containers do.
TEST(StandinHealth, IsReadAtTheEndOfEveryRound) {
  const Json result = run_with(Json::array());
  EXPECT_EQ(result["rounds"]["counted"], 2);
  const Json& devices = result["health"]["sessions"][0]["devices"];
  ASSERT_EQ(devices.size(), 2U);
  for (const Json& device : devices) {
    EXPECT_EQ(device["rounds"], 2);
    EXPECT_EQ(device["readings"]["sm_clock_hz"], (Json{{"least", 1.98e9}, {"most", 1.98e9}}));
    EXPECT_EQ(device["readings"]["pcie_width"]["least"], 16);
    EXPECT_EQ(device["errors"]["ecc_uncorrected"], 0);
    EXPECT_TRUE(device["other_processes"].is_null());
  }
  EXPECT_TRUE(noted(result, "not known of the devices of ranks 0, 1: whether others use them"));
  if (schemas_can_be_checked()) {
    EXPECT_EQ(schema_errors(result, "results/schema/result.schema.json"), "");
  }
}

TEST(StandinHealth, AHotDeviceLeavesNoRound) {
  StandinRun here(Json{{"devices", 2}, {"faults", {Json{{"fault", "throttle"}, {"rank", 1}}}}});
  const Json operation{{"tokens", 4}, {"d_model", 32}, {"d_ff", 64}};
  const ProcessResult run =
      here.try_run(here.protocol({operation}), {"--sessions", "1", "--rounds", "2"});
  EXPECT_EQ(run.exit_code, 4) << run.err;
  const Json result = Json::parse(run.out);
  EXPECT_EQ(result["outcome"], "void");
  EXPECT_EQ(result["rounds"]["counted"], 0);
  ASSERT_EQ(result["rounds"]["void"].size(), 2U);
  EXPECT_EQ(result["rounds"]["void"][0]["reason"],
            "device of rank 1: clocks were held down: hardware thermal slowdown");
  EXPECT_TRUE(result["points"][0]["comparison"].is_null());
  EXPECT_EQ(result["points"][0]["reasons"]["comparison"],
            "no round counts, most often because device of rank 1: clocks were held down: hardware "
            "thermal slowdown");
  if (schemas_can_be_checked()) {
    EXPECT_EQ(schema_errors(result, "results/schema/result.schema.json"), "");
  }
}

// 0x4 is the power limit.
TEST(StandinHealth, ADeviceAtItsPowerLimitIsLabelled) {
  const Json result =
      run_with(Json::array({Json{{"fault", "throttle"}, {"rank", 0}, {"reasons", 4}}}));
  EXPECT_EQ(result["rounds"]["counted"], 2);
  EXPECT_TRUE(noted(result, "the device of rank 0 was held at its power limit in 2 of 2 rounds"));
}

TEST(StandinHealth, IsUnknownWhereTheDriversLibraryDoesNotStart) {
  const Json result = run_with(Json::array({Json{{"fault", "nvml-init"}, {"code", 9}}}));
  EXPECT_EQ(result["rounds"]["counted"], 2);
  EXPECT_TRUE(noted(result, "nvmlInit_v2: Driver Not Loaded (9)"));
}

}  // namespace
}  // namespace splitbench::test

// What a run does with the checks before it: on stand-in devices.
#include <fstream>

#include "tests/harness/doctor_run.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

using nlohmann::json;

// A run refuses what doctor fails, before anything is timed or stored.
TEST(RunPreflight, RefusesWhatFails) {
  const OnStandIns here(json{{"faults", {{{"fault", "mig"}, {"rank", 1}}}}});
  const ProcessResult result =
      OnStandIns::splitbench({"run", "exact-example", "--backend", "cuda", "--format", "json",
                              "--store", here.path("s.db").string()});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("check mig: 0000:11:00.0: MIG is on"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("To mend it: nvidia-smi -mig 0"), std::string::npos) << result.err;
}

// What was found before is in the document, on standard output and in --out; nothing is stored.
TEST(RunPreflight, KeepsWhatWasFoundBeforeItRefused) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const OnStandIns here(json{{"faults", {{{"fault", "mig"}, {"rank", 1}}}}});
  const std::vector<std::string> run{"run",  "exact-example", "--backend",
                                     "cuda", "--store",       here.path("s.db").string()};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return OnStandIns::splitbench(more);
  };
  const ProcessResult result = with({"--format", "json", "--out", here.path("out.json").string()});
  EXPECT_EQ(result.exit_code, 3);
  const json document = json::parse(result.out);
  EXPECT_EQ(json::parse(std::ifstream(here.path("out.json"))), document);
  EXPECT_EQ(schema_errors(document, "results/schema/result.schema.json"), "");
  EXPECT_EQ(document["outcome"], "void");
  EXPECT_EQ(check_in(document["preflight"], "mig")["status"], "FAIL");
  EXPECT_EQ(check_in(document["preflight"], "peer-data")["status"], "PASS");
  EXPECT_EQ(document["node"]["devices"].size(), 2U);
  EXPECT_EQ(document["node"]["links"][0]["kind"], "NV12");
  const ProcessResult listed = OnStandIns::splitbench(
      {"list", "runs", "--format", "json", "--store", here.path("s.db").string()});
  EXPECT_EQ(json::parse(listed.out)["runs"].size(), 0U) << listed.out;

  const ProcessResult screen = with({"--quiet"});
  EXPECT_EQ(screen.exit_code, 3);
  EXPECT_NE(screen.out.find("VOID: nothing was timed: check mig failed"), std::string::npos)
      << screen.out;
  EXPECT_NE(screen.out.find("FAIL    mig"), std::string::npos) << screen.out;
  EXPECT_NE(screen.out.find("to mend it nvidia-smi -mig 0"), std::string::npos) << screen.out;
}

// NVLinks that NCCL may not use: bytes go through the host's memory, and through the network where
// that is closed, too.
TEST(RunPreflight, SaysTheWayThatVariablesLeave) {
  const OnStandIns here(json::object());
  const auto path = [&] {
    const ProcessResult result = OnStandIns::splitbench(
        {"run", "exact-example", "--backend", "cuda", "--format", "json", "--sessions", "1",
         "--rounds", "1", "--store", here.path("s.db").string()});
    const json document = json::parse(result.out);
    EXPECT_EQ(document["points"][0]["flow"][2]["path"], document["node"]["links"][0]["path"]);
    return document["node"]["links"][0]["path"];
  };
  setenv("NCCL_P2P_DISABLE", "1", 1);
  EXPECT_EQ(path(), "host-memory");
  setenv("NCCL_SHM_DISABLE", "1", 1);
  EXPECT_EQ(path(), "network");
  unsetenv("NCCL_P2P_DISABLE");
  EXPECT_EQ(path(), "unknown");
  unsetenv("NCCL_SHM_DISABLE");
}

// One layer of 1 x 2 floats over two ranks: the ring carries 2 (N-1)/N M = 8 bytes
// (docs/formulas.md).
TEST(RunPreflight, IsInTheResultWithTheWayOfEveryByte) {
  const OnStandIns here(json::object());
  const ProcessResult result = OnStandIns::splitbench(
      {"run", "exact-example", "--backend", "cuda", "--format", "json", "--sessions", "1",
       "--rounds", "1", "--store", here.path("s.db").string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json document = json::parse(result.out);
  EXPECT_EQ(check_in(document["preflight"], "peer-data")["status"], "PASS");
  EXPECT_EQ(check_in(document["preflight"], "all-reduce")["status"], "PASS");
  EXPECT_TRUE(check_in(document["preflight"], "all-reduce-staged").is_null());  // doctor's alone
  EXPECT_EQ(document["node"]["links"][0]["kind"], "NV12");
  EXPECT_EQ(document["node"]["links"][0]["path"], "gpu-link");
  const json expected = json::parse(R"([
    {"arrow": "input", "bytes": 8, "path": "on-device"},
    {"arrow": "device", "bytes": 32, "path": "on-device"},
    {"arrow": "exchange", "bytes": 8, "path": "gpu-link"},
    {"arrow": "gather", "bytes": 0, "path": "on-device"},
    {"arrow": "output", "bytes": 8, "path": "on-device"}])");
  EXPECT_EQ(document["points"][0]["flow"], expected);
}

TEST(RunPreflight, EndsAsAFaultWhereBytesAreWrong) {
  const OnStandIns here(json{{"faults", {{{"fault", "corrupt-peer"}, {"rank", 1}}}}});
  const ProcessResult result =
      OnStandIns::splitbench({"run", "exact-example", "--backend", "cuda", "--format", "json",
                              "--store", here.path("s.db").string()});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_NE(result.err.find("check peer-data: 1 of 2 ordered pairs"), std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace splitbench::test

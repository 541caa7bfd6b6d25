// splitbench-standin as a command.
#include <dlfcn.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/null.h"
#include "tests/standin/test/scenario_file.h"
#include "tests/support/process.h"

namespace splitbench::standin {
namespace {

test::ProcessResult run_launcher(const std::vector<std::string>& arguments) {
  return test::Program(SPLITBENCH_STANDIN_PROGRAM, arguments).wait();
}

TEST(Launcher, PassesOnTheExitCode) {
  EXPECT_EQ(run_launcher({"sh", "-c", "exit 7"}).exit_code, 7);
  EXPECT_EQ(run_launcher({"sh", "-c", "kill -TERM $$"}).exit_code, 143);
  EXPECT_EQ(run_launcher({"no-such-command"}).exit_code, 127);
  EXPECT_EQ(run_launcher({}).exit_code, 2);
}

TEST(Launcher, PassesOnATerminationToTheCommand) {
  test::Program launcher(SPLITBENCH_STANDIN_PROGRAM,
                         {"sh", "-c", "trap 'exit 9' TERM; while :; do sleep 0.01; done"});
  while (launcher.children().empty()) {
  }
  launcher.signal(SIGTERM);
  const int code = launcher.wait().exit_code;
  EXPECT_TRUE(code == 9 || code == 143) << code;  // 143: before the trap was set
}

TEST(Launcher, RemovesItsStateDirectory) {
  const test::ProcessResult result =
      run_launcher({"sh", "-c", "ls $SPLITBENCH_STANDIN_STATE; echo $SPLITBENCH_STANDIN_STATE"});
  ASSERT_EQ(result.out.substr(0, 6), "state\n");
  const std::string directory = result.out.substr(6, result.out.size() - 7);
  EXPECT_FALSE(std::filesystem::exists(directory)) << directory;
}

struct BadScenario {
  const char* json;
  const char* message;  // somewhere in it
};

TEST(Launcher, RefusesAScenarioThatIsWrongAndSaysWhere) {
  const BadScenario cases[] = {
      {R"({"device": 2})", "/device: unknown key"},
      {R"({"devices": 65})", "/devices: a whole number from 0 to 64"},
      {R"({"devices": "two"})", "/devices: a whole number"},
      {R"({"clock": "fast"})", "/clock: \"virtual\" or \"real\""},
      {R"({"launch_s": -1e-6})", "/launch_s: a number of at least 0"},
      {R"({"flops": 0})", "/flops: a number above 0"},
      {R"({"faults": ["fire"]})", "/faults/0: no stand-in knows the fault \"fire\""},
      {R"({"faults": ["no-peer", {"fault": "throttle", "rank": -1}]})", "/faults/1/rank: a whole"},
      {R"({"faults": [{"after": 1}]})", "/faults/0: the name of a fault"},
      {R"({"devices": 2,})", "line 1"},
  };
  for (const BadScenario& bad : cases) {
    const ScenarioFile scenario(bad.json);
    const test::ProcessResult result = run_launcher({"true"});
    EXPECT_EQ(result.exit_code, 2) << bad.json;
    EXPECT_NE(result.err.find(bad.message), std::string::npos) << bad.json << ": " << result.err;
  }
}

TEST(Devices, SayWhatTheyAre) {
  const ScenarioFile scenario(R"({"devices": 8})");
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 8);
  cudaDeviceProp properties{};
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 3), cudaSuccess);
  EXPECT_STREQ(properties.name, "splitbench stand-in device 3 (not a GPU)");
  char bus[16];
  ASSERT_EQ(cudaDeviceGetPCIBusId(bus, sizeof bus, 3), cudaSuccess);
  EXPECT_STREQ(bus, "0000:13:00.0");
  int device = -1;
  ASSERT_EQ(cudaDeviceGetByPCIBusId(&device, bus), cudaSuccess);
  EXPECT_EQ(device, 3);
  EXPECT_EQ(cudaSetDevice(8), cudaErrorInvalidDevice);
}

TEST(Truth, HoldsTheTimesThatWereUsed) {
  const ScenarioFile scenario(
      R"({"launch_s": 2e-6, "latency_s": 10e-6, "bandwidth_bytes_per_s": 1e10})");
  const cudaStream_t stream = make_stream();
  kernels::null(stream);
  kernels::null(stream);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  using Truth = const char* (*)();
  const auto marker = reinterpret_cast<Truth>(dlsym(RTLD_DEFAULT, "splitbench_standin_truth"));
  ASSERT_NE(marker, nullptr);
  const auto truth = nlohmann::json::parse(marker());
  EXPECT_EQ(truth.at("clock"), "virtual");
  EXPECT_DOUBLE_EQ(truth.at("latency_s").get<double>(), 12e-6);
  EXPECT_DOUBLE_EQ(truth.at("bandwidth_bytes_per_s").get<double>(), 1e10);
  EXPECT_EQ(truth.at("/work/null/count"_json_pointer), 2);
  EXPECT_DOUBLE_EQ(truth.at("/work/null/mean_s"_json_pointer).get<double>(), 2e-6);
}

}  // namespace
}  // namespace splitbench::standin

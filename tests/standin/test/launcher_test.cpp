// splitbench-standin as a command.
#include <dlfcn.h>

#include <cstdlib>
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

// One process: a signal reaches the command once, whoever it was sent to.
TEST(Launcher, BecomesTheCommand) {
  test::Program launcher(SPLITBENCH_STANDIN_PROGRAM, {"sh", "-c", "echo $$"});
  const std::string pid = std::to_string(launcher.pid()) + "\n";
  EXPECT_EQ(launcher.wait().out, pid);
}

TEST(Launcher, SaysHowItIsUsed) {
  const test::ProcessResult help = run_launcher({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.out.substr(0, 33), "usage: splitbench-standin COMMAND");
}

TEST(Launcher, LeavesNothingBehind) {
  const test::TemporaryDirectory directory;
  setenv("TMPDIR", directory.path().c_str(), 1);
  const test::ProcessResult result = run_launcher({"sh", "-c", "ls $TMPDIR; kill -KILL $$"});
  EXPECT_EQ(result.exit_code, 137);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(Launcher, SaysThatADirectoryIsNoScenario) {
  setenv("SPLITBENCH_STANDIN", "/tmp", 1);
  const test::ProcessResult result = run_launcher({"true"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "splitbench-standin: /tmp: is a directory\n");
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
      {R"({"launch_s": -1e-6})", "/launch_s: a number from 0 to 1000"},
      {R"({"flops": 0})", "/flops: a number from 1"},
      {R"({"faults": ["fire"]})", "/faults/0: no stand-in knows the fault \"fire\""},
      {R"({"faults": ["no-peer", {"fault": "throttle", "rank": -1}]})", "/faults/1/rank: a whole"},
      {R"({"faults": [{"after": 1}]})", "/faults/0: the name of a fault"},
      {R"({"devices": 2,})", "scenario.json:1:"},
      {R"({"devices": 2, "devices": 3})", "the key \"devices\" is given twice"},
      {R"({"faults": [{"fault": "throttle", "fault": "no-peer"}]})", "at /faults/0"},
      {R"({"faults": [{"fault": "throttle", "rank": 2}]})", "/faults/0/rank: a rank below the 2"},
      {R"({"faults": [{"fault": "throttle", "faktor": 2}]})", "/faults/0/faktor: the fault"},
      {R"({"faults": [{"fault": "no-peer", "code": 2}]})", "/faults/0/code: the fault"},
      {R"({"faults": [{"fault": "sticky-error", "code": 0}]})", "/faults/0/code: a number from 1"},
      {R"({"faults": [{"fault": "corrupt-peer", "mode": 7}]})",
       "/faults/0/mode: a whole number from 0 to 6"},
      {R"({"faults": [{"fault": "corrupt-peer", "mode": 1.5}]})", "/faults/0/mode: a whole"},
      {R"({"faults": [{"fault": "corrupt-peer", "to": 2}]})",
       "/faults/0/to: a receiver below the 2 devices"},
      {R"({"faults": [{"fault": "corrupt-peer", "rank": 1, "to": 1}]})",
       "/faults/0/to: another device than the rank"},
      {R"({"faults": [{"fault": "slow-link", "factor": 0}]})",
       "/faults/0/factor: a number from 0.001"},
      {R"({"faults": [{"fault": "throttle", "factor": -1}]})",
       "/faults/0/factor: a number from 0.001"},
      {R"({"devices": 4, "islands": [[0, 1], [2, 4]]})",
       "/islands/1/1: a device below the 4 devices"},
      {R"({"devices": 4, "islands": [[0, 1], [1, 2]]})",
       "/islands/1/0: a device of no island before"},
      {R"({"islands": [[0, 0]]})", "/islands/0/1: a device of no island before"},
      {R"({"memory_bytes": 0})", "/memory_bytes: at least one byte"},
      {R"({"table_s": {"serial-part": 1e-6}})", "/table_s/serial-part: no work has this name"},
      {R"({"table_s": {"matmul 4x8 fp32": 1e-6}})", "/table_s/matmul 4x8 fp32: no work"},
      {R"({"table_s": {"serial_part": 1e7}})", "/table_s/serial_part: a number from 0 to 1000"},
      {R"({"skew_s": 1e9})", "/skew_s: a number from 0 to 1000"},
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

// As the CUDA programming guide says of CUDA_VISIBLE_DEVICES: those listed, in that order, up to
// the first that does not exist; none where the list is empty.
TEST(Devices, AreThoseThatAreVisible) {
  const ScenarioFile scenario(R"({"devices": 4})");
  setenv("CUDA_VISIBLE_DEVICES", "3,1,9,0", 1);
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 2);
  char bus[16];
  ASSERT_EQ(cudaDeviceGetPCIBusId(bus, sizeof bus, 0), cudaSuccess);
  EXPECT_STREQ(bus, "0000:13:00.0");
  int device = -1;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 1);
  ASSERT_EQ(cudaDeviceGetByPCIBusId(&device, "0000:11:00.0"), cudaSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "0000:10:00.0"), cudaErrorInvalidDevice);
}

TEST(Devices, AreNoneWhereNoneIsVisible) {
  const ScenarioFile scenario(R"({"devices": 4})");
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  int count = -1;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
  EXPECT_EQ(count, 0);
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

// Every fault of a node has a named outcome: which check says what, and with which exit code.
// docs/faults.md lists the same cases; the faults are those of the stand-ins' scenario.
#include <unistd.h>

#include <algorithm>
#include <ostream>
#include <regex>

#include "tests/harness/doctor_run.h"

namespace splitbench::test {
namespace {

using nlohmann::json;

struct Case {
  const char* name;
  const char* scenario;  // more members of it
  const char* check;     // which says it
  const char* status;
  const char* seen;  // part of what it says it saw
  int exit_code;
};

void PrintTo(const Case& one, std::ostream* stream) {
  *stream << one.name;
}

class DoctorFaults : public testing::TestWithParam<Case> {};

json scenario_of(const Case& one) {
  json scenario{{"devices", 2}};
  scenario.update(json::parse(one.scenario));
  return scenario;
}

// Long, as these machines are busy; shorter where it is waited for. All is over 1 s later.
constexpr const char* kHang = "12s";

std::string deadline_of(const Case& one) {
  return std::string(one.name).starts_with("Hang") ? kHang : "60s";
}

struct Examined {
  int exit_code = -1;
  json document;

  json check(const std::string& name) const { return check_in(document.at("checks"), name); }
};

// `doctor --format json`.
Examined examine(const std::string& deadline = "60s", const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"doctor", "--format", "json", "--deadline", deadline};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProcessResult result = OnStandIns::splitbench(arguments);
  EXPECT_NE(result.out, "") << result.err;
  return {.exit_code = result.exit_code, .document = json::parse(result.out)};
}

void expect_result(const Examined& result, const char* name, const char* status,
                   const char* seen = "") {
  const json check = result.check(name);
  ASSERT_FALSE(check.is_null()) << name;
  EXPECT_EQ(check["status"], status) << check.dump(1);
  EXPECT_NE(check["seen"].get<std::string>().find(seen), std::string::npos) << check.dump(1);
}

TEST_P(DoctorFaults, HaveANamedOutcome) {
  const OnStandIns here(scenario_of(GetParam()));
  const Examined result = examine(deadline_of(GetParam()));
  const json& document = result.document;
  expect_result(result, GetParam().check, GetParam().status, GetParam().seen);
  const json check = result.check(GetParam().check);
  if (check["status"] != "PASS" && check["status"] != "UNKNOWN") {
    EXPECT_TRUE(check["mend"].is_string()) << check.dump(1);
  }
  EXPECT_EQ(result.exit_code, GetParam().exit_code) << document["checks"].dump(1);
}

const Case kCases[] = {
    {"Healthy", R"({})", "peer-data", "PASS", "2 ordered pairs", 0},
    {"HealthyAllReduce", R"({"devices": 3})", "all-reduce", "PASS", "3 ranks", 0},
    {"DriverTooOld", R"({"faults": ["driver-mismatch"]})", "driver-version", "FAIL",
     "the driver is too old", 3},
    {"LibraryOfAnotherVersion", R"({"faults": ["driver-mismatch"]})", "management-library", "FAIL",
     "version mismatch (18)", 3},
    {"FabricManagerMissing", R"({"faults": ["error-802"]})", "driver-version", "FAIL",
     "the fabric manager is not running", 3},
    {"NoDevice", R"({"devices": 0})", "driver-version", "FAIL", "no CUDA device is visible", 3},
    {"OneDevice", R"({"devices": 1})", "device-count", "FAIL", "runtime: 1", 3},
    {"DeviceHiddenFromOneSource", R"({"faults": ["hidden-device"]})", "device-count", "WARN",
     "runtime: 2, management library: 1", 0},
    {"NoCodeForTheDevice", R"({"faults": ["no-kernel-image"]})", "first-kernel", "FAIL",
     "holds no code for this device", 3},
    {"StickyError", R"({"faults": [{"fault": "sticky-error", "rank": 1}]})", "first-kernel", "FAIL",
     "device 1", 5},
    {"LostDevice", R"({"faults": [{"fault": "lost-device", "rank": 1}]})", "management-library",
     "FAIL", "1 of 2 devices do not answer: lost", 5},
    {"DuplicateDevice", R"({"faults": [{"fault": "duplicate-device", "rank": 1}]})",
     "distinct-devices", "FAIL", "is there twice", 3},
    {"ExclusiveMode", R"({"faults": [{"fault": "exclusive-mode", "rank": 0}]})", "compute-mode",
     "FAIL", "0000:10:00.0: Exclusive_Process", 3},
    {"DividedDevice", R"({"faults": [{"fault": "mig", "rank": 1}]})", "mig", "FAIL",
     "0000:11:00.0: MIG is on", 3},
    {"UncorrectedErrors", R"({"faults": [{"fault": "memory-errors", "rank": 0, "count": 7}]})",
     "memory-errors", "FAIL", "7 uncorrected", 3},
    {"ManagementLibraryDoesNotStart", R"({"faults": [{"fault": "nvml-init", "code": 9}]})",
     "management-library", "UNKNOWN", "Driver Not Loaded (9)", 4},
    {"ManagementLibraryMayNotLook", R"({"faults": [{"fault": "nvml-init", "code": 4}]})",
     "compute-mode", "UNKNOWN", "not looked at", 4},
    {"ManagementLibraryLacksCalls", R"({"faults": ["nvml-not-supported"]})", "memory-errors",
     "UNKNOWN", "Not Supported", 0},
    {"OldManagementLibrary", R"({"faults": ["old-driver"]})", "other-processes", "PASS", "none", 0},
    {"ProcessesOutsideTheContainer",
     R"({"faults": [{"fault": "other-process", "rank": 0, "pid": 4194303}]})", "other-processes",
     "UNKNOWN", "not of this container", 0},
    {"NoPeerAccess", R"({"faults": ["no-peer"]})", "peer-access", "WARN",
     "through the host's memory", 0},
    {"NoPeerAccessStillSendsBytes", R"({"faults": ["no-peer"]})", "peer-data", "PASS",
     "2 ordered pairs", 0},
    {"BytesDropped", R"({"faults": [{"fault": "corrupt-peer", "rank": 0, "mode": 0}]})",
     "peer-data", "FAIL", "where nothing arrived", 5},
    {"BytesSeenByTheWriterAlone",
     R"({"faults": [{"fault": "corrupt-peer", "rank": 0, "mode": 1}]})", "peer-data", "FAIL",
     "device 0 to device 1: 1 of 1 words wrong by stores", 5},
    {"StaleBytes", R"({"faults": [{"fault": "corrupt-peer", "rank": 0, "mode": 2}]})", "peer-data",
     "FAIL", "device 0 to device 1", 5},
    {"ZeroBytes", R"({"faults": [{"fault": "corrupt-peer", "rank": 0, "mode": 3}]})", "peer-data",
     "FAIL", "1 of 1 words wrong by stores, the first at byte 0", 5},
    {"SwappedWords", R"({"faults": [{"fault": "corrupt-peer", "rank": 0, "mode": 4}]})",
     "peer-data", "FAIL", "1022 of 1023 words wrong by stores", 5},
    {"OnePageMissing", R"({"faults": [{"fault": "corrupt-peer", "rank": 0, "mode": 5}]})",
     "peer-data", "FAIL", "wrong by stores, the first at byte 4096", 5},
    {"LastBytesMissing", R"({"faults": [{"fault": "corrupt-peer", "rank": 0, "mode": 6}]})",
     "peer-data", "FAIL", "1 of 1 words wrong", 5},
    {"OneDirection", R"({"faults": [{"fault": "corrupt-peer", "rank": 1, "to": 0}]})", "peer-data",
     "FAIL", "1 of 2 ordered pairs: device 1 to device 0", 5},
    {"OnePairOfThree",
     R"({"devices": 3, "faults": [{"fault": "corrupt-peer", "rank": 0, "to": 2}]})", "peer-data",
     "FAIL", "1 of 6 ordered pairs: device 0 to device 2", 5},
    {"CorruptAllReduce", R"({"faults": [{"fault": "corrupt-peer", "rank": 0}]})", "all-reduce",
     "FAIL", "rank 1: element 0 of 1 is 2, not 3", 5},
    {"StagedAllReduceIsRight", R"({"faults": [{"fault": "corrupt-peer", "rank": 0}]})",
     "all-reduce-staged", "PASS", "2 ranks", 5},
    {"WrongResult", R"({"faults": [{"fault": "wrong-result", "rank": 0}]})", "all-reduce", "FAIL",
     "rank 0: element 0 of 1 is 4, not 3", 5},
    {"HangInInit", R"({"faults": ["hang-in-init"]})", "all-reduce", "FAIL",
     "while NCCL: joining as rank", 5},
    {"HangInCollective", R"({"faults": ["hang-in-collective"]})", "all-reduce", "FAIL",
     "NCCL: an all-reduce of 1 elements", 5},
    {"AsynchronousError", R"({"faults": [{"fault": "async-error", "rank": 0}]})", "all-reduce",
     "FAIL", "NCCL met an error", 5},
    {"HangInRuntime", R"({"faults": ["hang-in-runtime"]})", "driver-version", "FAIL",
     "while CUDA runtime: counting devices", 5},
    {"HangInManagementLibrary", R"({"faults": ["hang-in-nvml"]})", "management-library", "FAIL",
     "while NVML: loading and starting it", 5},
    {"HangInAbort", R"({"faults": [{"fault": "async-error", "rank": 0}, "hang-in-abort"]})",
     "all-reduce", "FAIL", "NCCL met an error", 5},
    {"OutOfMemory", R"({"memory_bytes": 1048576})", "free-memory", "FAIL",
     "the device is out of memory at 32 MiB", 3},
    {"OutOfMemoryIsNotBlamedOnProducts", R"({"faults": ["out-of-memory"]})", "products", "UNKNOWN",
     "see free-memory", 3},
    {"OneSourceOfThreeIsSilent", R"({})", "device-count", "WARN",
     "runtime: 2, management library: 2, files in /dev: unknown", 0},
};

INSTANTIATE_TEST_SUITE_P(Of, DoctorFaults, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

// Where every library hangs, each hang is named and nothing that takes a library passes.
TEST(Doctor, NamesWhatHangsWhereEverythingDoes) {
  const OnStandIns here(json{{"faults", {"hang-in-runtime", "hang-in-nvml", "hang-in-init"}}});
  const Examined result = examine(kHang);
  EXPECT_EQ(result.exit_code, 5);
  expect_result(result, "driver-version", "FAIL");
  expect_result(result, "management-library", "FAIL");
  for (const char* check : {"compute-mode", "mig", "other-processes", "device-count",
                            "distinct-devices", "first-kernel", "products", "peer-access",
                            "peer-data", "all-reduce", "all-reduce-staged"}) {
    expect_result(result, check, "UNKNOWN");
  }
}

// Only NCCL hangs: the whole is over 1 s after the longest silence of one library, however long the
// others took before, and what hangs is named, as a hang or as out of time.
TEST(Doctor, EndsInTimeWhereOnlyOneLibraryHangs) {
  const OnStandIns here(json{{"faults", {"hang-in-init"}}});
  const Examined result = examine(kHang);
  const json check = result.check("all-reduce");
  EXPECT_NE(check["seen"].get<std::string>().find("while NCCL: joining as rank"), std::string::npos)
      << check.dump(1);
  EXPECT_NE(check["status"], "PASS");
  EXPECT_NE(check["status"], "WARN");
}

TEST(Doctor, CountsAProcessThatIsNotOurs) {
  const OnStandIns here(
      json{{"faults", {{{"fault", "other-process"}, {"rank", 1}, {"pid", getpid()}}}}});
  const Examined result = examine();
  const json check = result.check("other-processes");
  EXPECT_EQ(check["status"], "WARN");
  EXPECT_EQ(check["seen"], "0000:11:00.0: 1 that are not ours");
  EXPECT_EQ(check["devices"], json::array({"0000:11:00.0"}));
  EXPECT_EQ(result.exit_code, 0);
}

TEST(Doctor, RefusesVariablesThatChangeNumbers) {
  const OnStandIns here(json::object());
  setenv("NVIDIA_TF32_OVERRIDE", "1", 1);
  const Examined result = examine();
  unsetenv("NVIDIA_TF32_OVERRIDE");
  const json check = result.check("environment");
  EXPECT_EQ(check["status"], "FAIL");
  EXPECT_EQ(check["mend"], "unset NVIDIA_TF32_OVERRIDE");
  EXPECT_EQ(result.exit_code, 3);
}

TEST(Doctor, NamesVariablesThatChangeHowLibrariesWork) {
  const OnStandIns here(json::object());
  setenv("NCCL_ALGO", "Ring", 1);
  const Examined result = examine();
  unsetenv("NCCL_ALGO");
  const json check = result.check("environment");
  EXPECT_EQ(check["status"], "WARN");
  EXPECT_NE(check["seen"].get<std::string>().find("NCCL_ALGO"), std::string::npos);
  EXPECT_EQ(result.exit_code, 0);
}

// Faults of a device that nobody asked for. 0000:12:00.0 is device 2.
TEST(Doctor, CountsOnlyDevicesThatWereAskedFor) {
  const OnStandIns here(json{{"devices", 3},
                             {"faults",
                              {{{"fault", "mig"}, {"rank", 2}},
                               {{"fault", "exclusive-mode"}, {"rank", 2}},
                               {{"fault", "memory-errors"}, {"rank", 2}, {"count", 7}},
                               {{"fault", "other-process"}, {"rank", 2}, {"pid", getpid()}}}}});
  const Examined others = examine("60s", {"--devices", "0,1"});
  for (const char* check : {"mig", "compute-mode", "memory-errors", "other-processes"}) {
    expect_result(others, check, "PASS");
    EXPECT_EQ(others.check(check)["devices"], json::array({"0000:10:00.0", "0000:11:00.0"}));
  }
  EXPECT_EQ(others.exit_code, 0);
  const Examined asked = examine("60s", {"--devices", "1,2"});
  expect_result(asked, "mig", "FAIL", "0000:12:00.0: MIG is on");
  EXPECT_EQ(asked.check("mig")["devices"], json::array({"0000:12:00.0"}));
  EXPECT_EQ(asked.exit_code, 3);
}

TEST(Doctor, DoesNotMindALostDeviceThatNobodyAskedFor) {
  const OnStandIns here(
      json{{"devices", 3}, {"faults", {{{"fault", "lost-device"}, {"rank", 2}}}}});
  const Examined result = examine("60s", {"--devices", "0,1"});
  expect_result(result, "management-library", "PASS");
  expect_result(result, "peer-data", "PASS");
}

// Device 9 is not there: that alone is wrong, not what other devices have, and it is no fault (3).
TEST(Doctor, NamesADeviceThatIsNotThereAndBlamesNoOther) {
  const OnStandIns here(
      json{{"devices", 3},
           {"faults", {{{"fault", "mig"}, {"rank", 1}}, {{"fault", "lost-device"}, {"rank", 2}}}}});
  for (const char* devices : {"0,9", "9,0", "8,9"}) {
    const Examined result = examine("60s", {"--devices", devices});
    expect_result(result, "distinct-devices", "FAIL", "there is no device");
    for (const char* check : {"management-library", "mig"}) {
      EXPECT_NE(result.check(check)["status"], "FAIL") << devices << result.check(check).dump(1);
    }
    EXPECT_EQ(result.exit_code, 3) << devices;
  }
}

// As `run --devices 0`, which is refused.
TEST(Doctor, SaysThatASplitTakesTwoWhereOneIsAskedFor) {
  const OnStandIns here(json{{"devices", 2}});
  const Examined result = examine("60s", {"--devices", "0"});
  expect_result(result, "device-count", "FAIL", "one asked for");
  expect_result(result, "first-kernel", "PASS", "on 1 of 1 devices");
  EXPECT_EQ(result.check("device-count")["mend"],
            "a split takes two GPUs: name two with --devices");
  EXPECT_EQ(result.exit_code, 3);
}

// One device for two ranks, as asked: what there is to look at is looked at, and bytes between two
// devices are not known.
TEST(Doctor, LooksAtOneDeviceForTwoRanksWhereThatIsAsked) {
  const OnStandIns here(json{{"devices", 1}});
  const Examined result = examine("60s", {"--devices", "0,0", "--oversubscribe"});
  expect_result(result, "device-count", "WARN",
                "runtime: 1, management library: 1, files in /dev: unknown");
  expect_result(result, "distinct-devices", "PASS", "1 of them for 2 ranks, as asked");
  expect_result(result, "first-kernel", "PASS", "on 1 of 1 devices");
  expect_result(result, "all-reduce", "PASS", "2 ranks");
  expect_result(result, "peer-access", "UNKNOWN",
                "it takes two different devices that can be used");
  expect_result(result, "peer-data", "UNKNOWN", "it takes two different devices that can be used");
  EXPECT_EQ(result.exit_code, 4);
}

TEST(Doctor, DoesNotLetRanksShareADeviceUnasked) {
  const OnStandIns here(json{{"devices", 2}});
  const Examined result = examine("60s", {"--devices", "0,0"});
  expect_result(result, "distinct-devices", "FAIL");
  EXPECT_EQ(result.exit_code, 3);
}

TEST(Doctor, SaysHowLongLibrariesTookToStart) {
  const OnStandIns here(json::object());
  const json of_document = examine().document;
  EXPECT_GT(of_document["start_up_s"]["cuda"].get<double>(), 0.0);
  EXPECT_GT(of_document["start_up_s"]["nccl"].get<double>(), 0.0);
  const ProcessResult screen = OnStandIns::splitbench({"doctor", "--deadline", "60s"});
  EXPECT_TRUE(std::regex_search(
      screen.out,
      std::regex("\nStart-up, not in any time: CUDA [0-9]+\\.[0-9] s, NCCL [0-9]+\\.[0-9] s\n")))
      << screen.out;
}

// A library that never started has no time.
TEST(Doctor, SaysNothingOfTheStartOfALibraryThatHangs) {
  const OnStandIns here(json{{"faults", {"hang-in-init"}}});
  const json document = examine(kHang).document;
  EXPECT_GT(document["start_up_s"]["cuda"].get<double>(), 0.0);
  EXPECT_TRUE(document["start_up_s"]["nccl"].is_null());
}

// The screen says what it stands on.
TEST(Doctor, SaysThatStandInsAreNoGpu) {
  const OnStandIns here(json::object());
  const ProcessResult result = OnStandIns::splitbench({"doctor", "--deadline", "60s"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_NE(result.out.find("stand-in: "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("UNKNOWN (never a pass)"), std::string::npos);
}

// A machine without a driver: three sentences, as many as a user reads. The toolkit's own library
// says that there is none.
TEST(Doctor, ExplainsAMachineWithoutADriverInBrief) {
  if (access("/dev/nvidiactl", F_OK) == 0) GTEST_SKIP() << "there is a driver here";
  const ProcessResult result = run_splitbench({"doctor"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_LE(std::count(result.out.begin(), result.out.end(), '\n'), 6) << result.out;
  EXPECT_FALSE(std::regex_search(result.out, std::regex("[^\n]{81}"))) << result.out;
  EXPECT_NE(result.out.find("No GPU can be used here"), std::string::npos);
  EXPECT_NE(result.out.find("To mend it: "), std::string::npos);
}

// A program without modules: the backend was not built.
TEST(Doctor, SaysThatTheBackendWasNotBuilt) {
  if (access("/dev/nvidiactl", F_OK) == 0) GTEST_SKIP() << "there is a driver here";
  const TemporaryDirectory directory;
  std::filesystem::copy(SPLITBENCH_PROGRAM, directory / "splitbench");
  const ProcessResult result = Program((directory / "splitbench").string(), {"doctor"}).wait();
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.out.find("built without the cuda backend"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace splitbench::test

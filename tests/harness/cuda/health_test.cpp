// What NvmlWatch makes of what NVML says. The library answers as told (fake_nvml.h).
#include "harness/backends/cuda/health.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/harness/cuda/fake_nvml.h"

namespace splitbench::cuda {
namespace {

using test::FakeNvml;
using Names = std::vector<std::string>;

constexpr const char* kLibrary = SPLITBENCH_FAKE_NVML;

class NvmlWatchTest : public testing::Test {
 protected:
  NvmlWatchTest() {
    void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    fake_ = static_cast<FakeNvml*>(dlsym(library, "fake_nvml"));
    *fake_ = FakeNvml();
  }

  // What is said of the first of two devices.
  DeviceHealth look(const std::vector<pid_t>& ours = {}) {
    NvmlWatch watch(Nvml(kLibrary), {"0000:3B:00.0", "0000:5E:00.0"});
    const std::vector<DeviceHealth> all = watch.look(ours);
    EXPECT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].rank, 1);
    return all[0];
  }

  FakeNvml* fake_;
};

TEST_F(NvmlWatchTest, ReadsClocksHeatPowerAndLinks) {
  fake_->memory_used = 250;
  const DeviceHealth health = look();
  EXPECT_EQ(health.readings, (std::map<std::string, double>{{"energy_joules", 7},
                                                            {"memory_clock_hz", 2.619e9},
                                                            {"memory_used_bytes", 250},
                                                            {"nvlinks_active", 2},
                                                            {"pcie_generation", 5},
                                                            {"pcie_width", 16},
                                                            {"power_watts", 350.5},
                                                            {"sm_clock_hz", 1.98e9},
                                                            {"temperature_celsius", 61}}));
}

// Two links of three are active; each counts what the fake is told.
TEST_F(NvmlWatchTest, AddsUpTheErrorsOfActiveLinks) {
  fake_->memory_errors[0] = 5;
  fake_->memory_errors[1] = 1;
  fake_->link_errors[3] = 7;
  EXPECT_EQ(look().error_counters,
            (std::map<std::string, std::uint64_t>{{"ecc_corrected", 5},
                                                  {"ecc_uncorrected", 1},
                                                  {"nvlink_crc_data_errors", 14},
                                                  {"nvlink_crc_flit_errors", 0},
                                                  {"nvlink_recoveries", 0},
                                                  {"nvlink_replays", 0},
                                                  {"pcie_replays", 4}}));
}

TEST_F(NvmlWatchTest, NamesWhatHoldsClocksDown) {
  EXPECT_EQ(look().clock_reasons, Names{});
  fake_->event_reasons = 0x8044;
  EXPECT_EQ(look().clock_reasons,
            (Names{"software_power_cap", "hardware_thermal_slowdown", "0x8000"}));
}

TEST_F(NvmlWatchTest, DoesNotKnowOfOthersWhereTheListIsEmpty) {
  const DeviceHealth health = look({getpid()});
  EXPECT_FALSE(health.other_processes.has_value());
  EXPECT_EQ(health.unknown.at("other_processes"),
            "whether others use them, since the driver's list lacks this run's own processes");
}

TEST_F(NvmlWatchTest, CountsProcessesThatAreNotOurs) {
  fake_->processes = 2;
  fake_->first_process = 1000;
  EXPECT_EQ(look({1000, 1001}).other_processes, 0);
  // This process runs, and is not said to be ours.
  fake_->processes = 1;
  fake_->first_process = static_cast<unsigned>(getpid());
  EXPECT_EQ(look({1000}).other_processes, 1);
}

// Ids of processes that do not run here belong to the machine around a container: ours may be
// among them.
TEST_F(NvmlWatchTest, DoesNotTakeIdsOfAnotherNamespaceForOthers) {
  fake_->processes = 2;
  fake_->first_process = 0x3ffffff0;  // beyond any process id of Linux, which end at 2^22
  EXPECT_FALSE(look({getpid()}).other_processes.has_value());
}

TEST_F(NvmlWatchTest, SaysWhatCannotBeRead) {
  fake_->links_code = 3;
  EXPECT_EQ(look().unknown.at("nvlinks_active"), "nvmlDeviceGetNvLinkState: Not Supported (3)");
  fake_->device_code = 15;
  const DeviceHealth lost = look();
  EXPECT_TRUE(lost.readings.empty() && lost.error_counters.empty());
  EXPECT_EQ(lost.unknown.at("sm_clock_hz"), "nvmlDeviceGetClockInfo: GPU is lost (15)");
  EXPECT_EQ(lost.unknown.at("clock_reasons"),
            "nvmlDeviceGetCurrentClocksEventReasons: GPU is lost (15)");
}

TEST_F(NvmlWatchTest, KnowsNothingWithoutTheLibraryOrTheDevice) {
  NvmlWatch without(Nvml("libnvidia-ml-that-is-nowhere.so.1"), {"0000:3B:00.0"});
  EXPECT_NE(without.look({})[0].unknown.at("health").find("nowhere"), std::string::npos);
  NvmlWatch elsewhere(Nvml(kLibrary), {"0000:77:00.0"});
  EXPECT_EQ(elsewhere.look({})[0].unknown.at("health"),
            "nvmlDeviceGetHandleByPciBusId_v2: Not Found (6)");
}

}  // namespace
}  // namespace splitbench::cuda

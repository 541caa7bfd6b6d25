// The adapter for NVML against a library that answers as told: codes, layouts and names as in the
// public nvml.h (API 13) and in what is known of older drivers.
#include "harness/backends/cuda/nvml.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/harness/cuda/fake_nvml.h"

namespace splitbench::cuda {
namespace {

using test::FakeNvml;

constexpr const char* kToday = SPLITBENCH_FAKE_NVML;
constexpr const char* kOld = SPLITBENCH_FAKE_NVML_OLD;
constexpr const char* kAddress = "0000:3B:00.0";

// Tells the library at `path` what to answer.
class NvmlTest : public testing::Test {
 protected:
  FakeNvml& fake(const char* path = kToday) {
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    auto* const state = static_cast<FakeNvml*>(dlsym(library, "fake_nvml"));
    *state = FakeNvml();
    return *state;
  }
};

std::vector<pid_t> ids_from_1000(std::size_t count) {
  std::vector<pid_t> ids(count);
  std::iota(ids.begin(), ids.end(), 1000);
  return ids;
}

TEST_F(NvmlTest, SaysThatThereIsNoLibrary) {
  const Nvml nvml("libnvidia-ml-that-is-nowhere.so.1");
  EXPECT_NE(nvml.reason().find("libnvidia-ml-that-is-nowhere.so.1"), std::string::npos);
  EXPECT_EQ(nvml.library_path(), "");
  EXPECT_EQ(nvml.find(kAddress).reason(), nvml.reason());
  EXPECT_EQ(nvml.driver_version().reason(), nvml.reason());
}

TEST_F(NvmlTest, SaysWhyItDoesNotStart) {
  for (const auto& [code, text] : {std::pair{9, "nvmlInit_v2: Driver Not Loaded (9)"},
                                   {18, "nvmlInit_v2: Driver/library version mismatch (18)"}}) {
    fake().init_code = code;
    const Nvml nvml(kToday);
    EXPECT_EQ(nvml.reason(), text);
    EXPECT_EQ(nvml.find(kAddress).reason(), text);
    EXPECT_EQ(nvml.library_path(), kToday);
  }
}

TEST_F(NvmlTest, IsShutDownAsOftenAsItStarted) {
  FakeNvml& state = fake();
  { const Nvml nvml(kToday); }
  EXPECT_EQ(state.shutdowns, 1);
  state.init_code = 9;
  { const Nvml nvml(kToday); }
  EXPECT_EQ(state.shutdowns, 1) << "what did not start";
}

// The fake's index 0 is the device on bus 0x5e.
TEST_F(NvmlTest, FindsDevicesByAddressWhateverTheirIndex) {
  fake();
  const Nvml nvml(kToday);
  EXPECT_EQ(nvml.find("0000:3B:00.0").value().uuid().value(),
            "GPU-00000000-0000-0000-0000-000000000000");
  EXPECT_EQ(nvml.find("0000:5E:00.0").value().uuid().value(),
            "GPU-00000000-0000-0000-0000-000000000001");
  EXPECT_EQ(nvml.find("0000:99:00.0").reason(), "nvmlDeviceGetHandleByPciBusId_v2: Not Found (6)");
}

// NVML gives MHz, mW and mJ.
TEST_F(NvmlTest, ReadsInBaseUnits) {
  FakeNvml& state = fake();
  state.event_reasons = 0x44;
  state.memory_errors[0] = 5;
  state.memory_errors[1] = 6;
  state.memory_used = 250;
  state.link_errors[3] = 7;
  const Nvml nvml(kToday);
  EXPECT_EQ(nvml.reason(), "");
  EXPECT_EQ(nvml.driver_version().value(), "580.95.05");
  const NvmlDevice device = nvml.find(kAddress).value();
  EXPECT_EQ(device.sm_clock_hz().value(), 1.98e9);
  EXPECT_EQ(device.memory_clock_hz().value(), 2.619e9);
  EXPECT_EQ(device.event_reasons().value(), 0x44U);
  EXPECT_EQ(device.temperature_celsius().value(), 61);
  EXPECT_EQ(device.power_watts().value(), 350.5);
  EXPECT_EQ(device.energy_joules().value(), 7);
  EXPECT_EQ(device.memory_errors(MemoryErrors::corrected).value(), 5U);
  EXPECT_EQ(device.memory_errors(MemoryErrors::uncorrected).value(), 6U);
  EXPECT_EQ(device.pcie_generation().value(), 5U);
  EXPECT_EQ(device.pcie_width().value(), 16U);
  EXPECT_EQ(device.pcie_replays().value(), 4U);
  EXPECT_EQ(device.memory().value().total, Bytes(1000));
  EXPECT_EQ(device.memory().value().used, Bytes(250)) << "without what the driver reserves";
  EXPECT_EQ(device.link_errors(0, NvLinkError::crc_data).value(), 7U);
}

TEST_F(NvmlTest, AsksForLinksUntilOneIsRefused) {
  fake();
  const Nvml nvml(kToday);
  const std::vector<NvLink> links = nvml.find(kAddress).value().links().value();
  ASSERT_EQ(links.size(), 3U);
  EXPECT_TRUE(links[0].active);
  EXPECT_TRUE(links[1].active);
  EXPECT_FALSE(links[2].active);
}

TEST_F(NvmlTest, DoesNotTakeUnsupportedForNone) {
  FakeNvml& state = fake();
  const Nvml nvml(kToday);
  state.links_code = 3;
  EXPECT_EQ(nvml.find(kAddress).value().links().reason(),
            "nvmlDeviceGetNvLinkState: Not Supported (3)");
  state.device_code = 3;
  EXPECT_EQ(nvml.find(kAddress).value().memory_errors(MemoryErrors::corrected).reason(),
            "nvmlDeviceGetTotalEccErrors: Not Supported (3)");
}

TEST_F(NvmlTest, SaysThatADeviceIsLostInEveryReading) {
  FakeNvml& state = fake();
  const Nvml nvml(kToday);
  const NvmlDevice device = nvml.find(kAddress).value();
  state.device_code = 15;
  for (const std::string& reason :
       {device.uuid().reason(), device.sm_clock_hz().reason(), device.memory_clock_hz().reason(),
        device.event_reasons().reason(), device.temperature_celsius().reason(),
        device.power_watts().reason(), device.energy_joules().reason(),
        device.memory_errors(MemoryErrors::corrected).reason(), device.pcie_generation().reason(),
        device.pcie_width().reason(), device.pcie_replays().reason(), device.links().reason(),
        device.link_errors(0, NvLinkError::replay).reason(), device.memory().reason(),
        device.process_ids().reason()}) {
    EXPECT_NE(reason.find("GPU is lost (15)"), std::string::npos) << reason;
  }
}

// 24 bytes in versions 2 and 3 of the call, 32 in version 3 of drivers 535.43 to 535.86.
TEST_F(NvmlTest, ReadsProcessListsOfEveryKnownLayout) {
  FakeNvml& state = fake();
  const Nvml nvml(kToday);
  const NvmlDevice device = nvml.find(kAddress).value();
  for (const std::size_t stride : {std::size_t{16}, std::size_t{24}, std::size_t{32}}) {
    for (const unsigned count : {0U, 1U, 2U, 5U, 256U}) {
      state.process_stride = stride;
      state.processes = count;
      EXPECT_EQ(device.process_ids().value(), ids_from_1000(count)) << stride << " " << count;
    }
  }
}

TEST_F(NvmlTest, GuessesNoProcessFromAnUnknownLayout) {
  FakeNvml& state = fake();
  const Nvml nvml(kToday);
  const NvmlDevice device = nvml.find(kAddress).value();
  state.processes = 2;
  state.process_stride = 20;
  EXPECT_EQ(device.process_ids().reason(),
            "nvmlDeviceGetComputeRunningProcesses_v3: 2 entries of no known length");
  state.processes = 300;
  EXPECT_EQ(device.process_ids().reason(),
            "nvmlDeviceGetComputeRunningProcesses_v3: Insufficient Size (7)");
}

TEST_F(NvmlTest, FallsBackToOlderNames) {
  FakeNvml& state = fake(kOld);
  state.event_reasons = 0x20;
  state.memory_used = 250;
  state.processes = 3;
  const Nvml nvml(kOld);
  ASSERT_EQ(nvml.reason(), "");
  const NvmlDevice device = nvml.find(kAddress).value();
  EXPECT_EQ(device.event_reasons().value(), 0x20U);
  EXPECT_EQ(device.temperature_celsius().value(), 59);
  EXPECT_EQ(device.memory().value().used, Bytes(350)) << "the old layout counts the reserve";
  EXPECT_EQ(device.process_ids().value(), ids_from_1000(3));
  EXPECT_EQ(device.pcie_replays().reason(),
            "nvmlDeviceGetPcieReplayCounter is not in this library");
}

// Source: nvml.h, nvmlClocksEventReason*.
TEST(EventReasons, NameEveryKnownBitAndKeepTheRest) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(event_reason_names(0), Names());
  EXPECT_EQ(event_reason_names(0x1), Names{"idle"});
  EXPECT_EQ(event_reason_names(0x4), Names{"software_power_cap"});
  EXPECT_EQ(event_reason_names(0x8), Names{"hardware_slowdown"});
  EXPECT_EQ(event_reason_names(0x20), Names{"software_thermal_slowdown"});
  EXPECT_EQ(event_reason_names(0x40), Names{"hardware_thermal_slowdown"});
  EXPECT_EQ(event_reason_names(0x80), Names{"hardware_power_brake"});
  EXPECT_EQ(event_reason_names(0x1ff).size(), 9U);
  EXPECT_EQ(event_reason_names(0x8044),
            (Names{"software_power_cap", "hardware_thermal_slowdown", "0x8000"}));
}

}  // namespace
}  // namespace splitbench::cuda

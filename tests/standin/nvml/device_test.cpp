// Which devices NVML shows, how they are, and what it says when it cannot.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/standin/nvml/library.h"
#include "tests/standin/test/scenario_run.h"

namespace splitbench::standin {
namespace {

std::string cuda_pci_bus_id(int device) {
  char text[32] = {};
  EXPECT_EQ(cudaDeviceGetPCIBusId(text, sizeof text, device), cudaSuccess);
  return text;
}

std::string text_of(const Nvml& nvml, const char* name, nvmlDevice_t device) {
  char text[96] = {};
  EXPECT_EQ(nvml.call(name, device, &text[0], 96U), NVML_SUCCESS);
  return text;
}

TEST(Devices, AreCountedTheOtherWayRoundThanByCuda) {
  run_alone(R"({"devices": 4})", [] {
    const Nvml nvml = start_nvml();
    unsigned count = 0;
    EXPECT_EQ(nvml.call("nvmlDeviceGetCount_v2", &count), NVML_SUCCESS);
    ASSERT_EQ(count, 4U);
    for (unsigned index = 0; index < count; ++index) {
      const nvmlDevice_t device = nvml.device_at(index);
      EXPECT_EQ(nvml.device_at(cuda_pci_bus_id(static_cast<int>(3 - index)).c_str()), device);
      EXPECT_EQ(nvml.get<unsigned>("nvmlDeviceGetIndex", device), index);
    }
    nvmlDevice_t device = nullptr;
    EXPECT_EQ(nvml.call("nvmlDeviceGetHandleByIndex_v2", 4U, &device), NVML_ERROR_INVALID_ARGUMENT);
    const char* none = "0000:ff:00.0";
    EXPECT_EQ(nvml.call("nvmlDeviceGetHandleByPciBusId_v2", none, &device), NVML_ERROR_NOT_FOUND);
  });
}

// The three ways that nvmlDeviceGetHandleByPciBusId_v2 documents.
TEST(Devices, AreFoundByAnySpellingOfTheirAddress) {
  run_alone(R"({"devices": 1})", [] {
    const Nvml nvml = start_nvml();
    const std::string full = cuda_pci_bus_id(0);  // "0000:10:00.0"
    const nvmlDevice_t device = nvml.device_at(full.c_str());
    EXPECT_EQ(nvml.device_at(full.substr(0, full.size() - 2).c_str()), device);
    EXPECT_EQ(nvml.device_at(full.substr(5).c_str()), device);
    EXPECT_EQ(nvml.device_at(("0000" + full).c_str()), device);
  });
}

TEST(Devices, HaveTheNameAndTheUuidThatCudaSees) {
  run_alone(R"({"devices": 2})", [] {
    const Nvml nvml = start_nvml();
    for (int ordinal = 0; ordinal < 2; ++ordinal) {
      cudaDeviceProp properties;
      ASSERT_EQ(cudaGetDeviceProperties(&properties, ordinal), cudaSuccess);
      const nvmlDevice_t device = nvml.device_at(cuda_pci_bus_id(ordinal).c_str());
      EXPECT_EQ(text_of(nvml, "nvmlDeviceGetName", device), properties.name);
      const std::string uuid = text_of(nvml, "nvmlDeviceGetUUID", device);
      ASSERT_EQ(uuid.size(), 40U);
      EXPECT_EQ(uuid.substr(0, 4), "GPU-");
      // The first and the last byte, in hexadecimal.
      EXPECT_EQ(std::stoi(uuid.substr(4, 2), nullptr, 16), properties.uuid.bytes[0]);
      EXPECT_EQ(std::stoi(uuid.substr(38), nullptr, 16), properties.uuid.bytes[15]);
      nvmlDevice_t by_uuid = nullptr;
      EXPECT_EQ(nvml.call("nvmlDeviceGetHandleByUUID", uuid.c_str(), &by_uuid), NVML_SUCCESS);
      EXPECT_EQ(by_uuid, device);
    }
  });
}

TEST(Devices, AreHealthyWhereNoFaultIs) {
  run_alone(R"({"devices": 1, "memory_bytes": 1073741824})", [] {
    const Nvml nvml = start_nvml();
    const nvmlDevice_t device = nvml.device_at(0U);
    const auto clock = nvml.get<unsigned>("nvmlDeviceGetClockInfo", device, 1);
    EXPECT_EQ(clock, nvml.get<unsigned>("nvmlDeviceGetMaxClockInfo", device, 1));
    EXPECT_GT(clock, 0U);
    EXPECT_EQ(nvml.get<unsigned long long>("nvmlDeviceGetCurrentClocksEventReasons", device), 0U);
    EXPECT_EQ(nvml.get<unsigned long long>("nvmlDeviceGetTotalEccErrors", device, 1, 0), 0U);
    EXPECT_EQ(nvml.get<int>("nvmlDeviceGetComputeMode", device), 0);
    const auto memory = nvml.get<nvmlMemory_t>("nvmlDeviceGetMemoryInfo", device);
    EXPECT_EQ(memory.total, 1073741824U);
    EXPECT_EQ(memory.free, memory.total);
    EXPECT_EQ(nvml.get<nvmlUtilization_t>("nvmlDeviceGetUtilizationRates", device).gpu, 0U);
    EXPECT_LT(nvml.get<unsigned>("nvmlDeviceGetTemperature", device, 0),
              nvml.get<unsigned>("nvmlDeviceGetTemperatureThreshold", device, 1));
  });
}

// 0x40 is HwThermalSlowdown.
TEST(Devices, ThatAreThrottledShowIt) {
  run_alone(R"({"devices": 2, "faults": [{"fault": "throttle", "rank": 1, "factor": 3}]})", [] {
    const Nvml nvml = start_nvml();
    const nvmlDevice_t fine = nvml.device_at(cuda_pci_bus_id(0).c_str());
    const nvmlDevice_t hot = nvml.device_at(cuda_pci_bus_id(1).c_str());
    const char* reasons = "nvmlDeviceGetCurrentClocksEventReasons";
    EXPECT_EQ(nvml.get<unsigned long long>(reasons, fine), 0U);
    EXPECT_EQ(nvml.get<unsigned long long>(reasons, hot), 0x40U);
    EXPECT_EQ(nvml.get<unsigned>("nvmlDeviceGetClockInfo", hot, 1) * 3,
              nvml.get<unsigned>("nvmlDeviceGetMaxClockInfo", hot, 1));
    EXPECT_GT(nvml.get<unsigned>("nvmlDeviceGetTemperature", hot, 0),
              nvml.get<unsigned>("nvmlDeviceGetTemperatureThreshold", hot, 1));
  });
}

TEST(Devices, TellOfOtherProcesses) {
  run_alone(R"({"devices": 1, "memory_bytes": 1000000,
                "faults": [{"fault": "other-process", "pid": 4711, "bytes": 300000}]})",
            [] {
              const Nvml nvml = start_nvml();
              const nvmlDevice_t device = nvml.device_at(0U);
              unsigned count = 0;
              nvmlProcessInfo_t* nowhere = nullptr;
              const char* list = "nvmlDeviceGetComputeRunningProcesses_v3";
              EXPECT_EQ(nvml.call(list, device, &count, nowhere), NVML_ERROR_INSUFFICIENT_SIZE);
              ASSERT_EQ(count, 1U);
              nvmlProcessInfo_t info{};
              EXPECT_EQ(nvml.call(list, device, &count, &info), NVML_SUCCESS);
              EXPECT_EQ(info.pid, 4711U);
              EXPECT_EQ(info.usedGpuMemory, 300000U);
              EXPECT_EQ(nvml.get<nvmlMemory_t>("nvmlDeviceGetMemoryInfo", device).free, 700000U);
            });
}

TEST(Failures, BeforeInitAndAfterShutdownNothingIsSaid) {
  run_alone(R"({"devices": 1})", [] {
    const Nvml nvml;
    unsigned count = 0;
    EXPECT_EQ(nvml.call("nvmlDeviceGetCount_v2", &count), NVML_ERROR_UNINITIALIZED);
    EXPECT_EQ(nvml.call("nvmlInit_v2"), NVML_SUCCESS);
    EXPECT_EQ(nvml.call("nvmlInit_v2"), NVML_SUCCESS);
    EXPECT_EQ(nvml.call("nvmlShutdown"), NVML_SUCCESS);
    EXPECT_EQ(nvml.call("nvmlDeviceGetCount_v2", &count), NVML_SUCCESS) << "it is counted";
    EXPECT_EQ(nvml.call("nvmlShutdown"), NVML_SUCCESS);
    EXPECT_EQ(nvml.call("nvmlShutdown"), NVML_ERROR_UNINITIALIZED);
    EXPECT_EQ(nvml.call("nvmlDeviceGetCount_v2", &count), NVML_ERROR_UNINITIALIZED);
  });
}

// 9 driver not loaded, 18 library and driver do not match.
TEST(Failures, OfInitHaveTheirCodes) {
  run_alone(R"({"faults": [{"fault": "nvml-init"}]})",
            [] { EXPECT_EQ(Nvml().call("nvmlInit_v2"), NVML_ERROR_DRIVER_NOT_LOADED); });
  run_alone(R"({"faults": [{"fault": "nvml-init", "code": 999}]})",
            [] { EXPECT_EQ(Nvml().call("nvmlInit_v2"), NVML_ERROR_UNKNOWN); });
  run_alone(R"({"faults": ["driver-mismatch"]})",
            [] { EXPECT_EQ(Nvml().call("nvmlInit_v2"), NVML_ERROR_LIB_RM_VERSION_MISMATCH); });
}

TEST(Failures, ALostDeviceAnswersNothingAnyMore) {
  run_alone(R"({"devices": 2, "faults": [{"fault": "lost-device", "rank": 0, "after": 2}]})", [] {
    const Nvml nvml = start_nvml();
    const nvmlDevice_t lost = nvml.device_at(cuda_pci_bus_id(0).c_str());
    const nvmlDevice_t fine = nvml.device_at(cuda_pci_bus_id(1).c_str());
    unsigned megahertz = 0;
    for (const nvmlReturn_t expected :
         {NVML_SUCCESS, NVML_SUCCESS, NVML_ERROR_GPU_IS_LOST, NVML_ERROR_GPU_IS_LOST}) {
      EXPECT_EQ(nvml.call("nvmlDeviceGetClockInfo", lost, 1, &megahertz), expected);
      EXPECT_EQ(nvml.call("nvmlDeviceGetClockInfo", fine, 1, &megahertz), NVML_SUCCESS);
    }
  });
}

TEST(Failures, WhatIsNotSupportedSaysSo) {
  run_alone(R"({"devices": 1, "faults": ["nvml-not-supported"]})", [] {
    const Nvml nvml = start_nvml();
    const nvmlDevice_t device = nvml.device_at(0U);
    unsigned long long reasons = 0;
    unsigned number = 0;
    EXPECT_EQ(nvml.call("nvmlDeviceGetCurrentClocksEventReasons", device, &reasons),
              NVML_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(nvml.call("nvmlDeviceGetPowerUsage", device, &number), NVML_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(nvml.call("nvmlDeviceGetClockInfo", device, 1, &number), NVML_SUCCESS);
  });
}

TEST(Failures, AnOldDriverLacksNamesAndHasTheOlderOnes) {
  run_alone(R"({"devices": 1})", [] {
    const Nvml now;
    const Nvml old(SPLITBENCH_STANDIN_OLD_NVML);
    for (const char* name :
         {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetCurrentClocksEventReasons"}) {
      EXPECT_TRUE(now.has(name)) << name;
      EXPECT_FALSE(old.has(name)) << name;
    }
    for (const char* name : {"nvmlInit_v2", "nvmlDeviceGetComputeRunningProcesses_v2",
                             "nvmlDeviceGetCurrentClocksThrottleReasons"}) {
      EXPECT_TRUE(old.has(name)) << name;
    }
  });
}

}  // namespace
}  // namespace splitbench::standin

#include "tests/harness/cuda/fake_nvml.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

using splitbench::test::FakeNvml;

#define FAKE extern "C" __attribute__((visibility("default")))

extern "C" {
__attribute__((visibility("default"))) FakeNvml fake_nvml{};
}

namespace {

using Device = const unsigned*;  // which one it is

constexpr unsigned kDevices[2] = {0, 1};

int give(unsigned value, unsigned* to) {
  if (fake_nvml.device_code == 0) *to = value;
  return fake_nvml.device_code;
}
int give(unsigned long long value, unsigned long long* to) {
  if (fake_nvml.device_code == 0) *to = value;
  return fake_nvml.device_code;
}

// Device 0 is on bus 0x3b, device 1 on bus 0x5e; by index they come the other way round.
int by_address(const char* address, Device* device) {
  if (std::strcmp(address, "0000:3B:00.0") == 0) {
    *device = &kDevices[0];
  } else if (std::strcmp(address, "0000:5E:00.0") == 0) {
    *device = &kDevices[1];
  } else {
    return 6;
  }
  return 0;
}

// Every byte of an entry is written, as drivers do.
int processes(unsigned* count, unsigned char* infos, std::size_t stride) {
  if (fake_nvml.device_code != 0) return fake_nvml.device_code;
  const unsigned room = *count;
  *count = fake_nvml.processes;
  if (room < fake_nvml.processes) return 7;
  for (unsigned i = 0; i < fake_nvml.processes; ++i) {
    std::memset(infos + i * stride, 0xff, stride);  // memory and instances are not available
    const unsigned pid = fake_nvml.first_process + i;
    std::memcpy(infos + i * stride, &pid, sizeof pid);
  }
  return 0;
}

struct Memory {
  unsigned long long total, free, used;
};
struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
struct TemperatureV {
  unsigned version;
  int sensor;
  int celsius;
};

}  // namespace

FAKE const char* nvmlErrorString(int code) {
  switch (code) {
    case 3:
      return "Not Supported";
    case 6:
      return "Not Found";
    case 7:
      return "Insufficient Size";
    case 9:
      return "Driver Not Loaded";
    case 15:
      return "GPU is lost";
    case 18:
      return "Driver/library version mismatch";
    default:
      return "Unknown Error";
  }
}
FAKE int nvmlShutdown() {
  ++fake_nvml.shutdowns;
  return 0;
}
FAKE int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::snprintf(text, size, "580.95.05");
  return 0;
}
FAKE int nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  if (index > 1) return 2;
  *device = &kDevices[1 - index];
  return 0;
}
FAKE int nvmlDeviceGetUUID(Device device, char* text, unsigned size) {
  std::snprintf(text, size, "GPU-00000000-0000-0000-0000-00000000000%u", *device);
  return fake_nvml.device_code;
}
FAKE int nvmlDeviceGetClockInfo(Device, int type, unsigned* mhz) {
  return give(type == 1 ? 1980U : type == 2 ? 2619U : 0U, mhz);
}
FAKE int nvmlDeviceGetPowerUsage(Device, unsigned* milliwatts) {
  return give(350500U, milliwatts);
}
FAKE int nvmlDeviceGetTotalEnergyConsumption(Device, unsigned long long* millijoules) {
  return give(7000ULL, millijoules);
}
FAKE int nvmlDeviceGetTotalEccErrors(Device, int type, int counter, unsigned long long* errors) {
  return counter != 0 ? 2 : give(fake_nvml.memory_errors[type], errors);
}
FAKE int nvmlDeviceGetCurrPcieLinkGeneration(Device, unsigned* generation) {
  return give(5U, generation);
}
FAKE int nvmlDeviceGetCurrPcieLinkWidth(Device, unsigned* width) {
  return give(16U, width);
}
FAKE int nvmlDeviceGetNvLinkState(Device, unsigned link, int* active) {
  if (fake_nvml.device_code != 0) return fake_nvml.device_code;
  if (fake_nvml.links_code != 0) return fake_nvml.links_code;
  if (link >= fake_nvml.links) return 2;
  *active = link + 1 < fake_nvml.links ? 1 : 0;
  return 0;
}
FAKE int nvmlDeviceGetNvLinkErrorCounter(Device, unsigned, int counter,
                                         unsigned long long* errors) {
  return give(fake_nvml.link_errors[counter], errors);
}

// What a driver of today has, under the names of today.
#ifndef FAKE_NVML_OLD
FAKE int nvmlInit_v2() {
  return fake_nvml.init_code;
}
FAKE int nvmlDeviceGetHandleByPciBusId_v2(const char* address, Device* device) {
  return by_address(address, device);
}
FAKE int nvmlDeviceGetCurrentClocksEventReasons(Device, unsigned long long* reasons) {
  return give(fake_nvml.event_reasons, reasons);
}
FAKE int nvmlDeviceGetTemperatureV(Device, TemperatureV* temperature) {
  if (fake_nvml.device_code != 0) return fake_nvml.device_code;
  if (temperature->version != 0x100000c || temperature->sensor != 0) return 25;
  temperature->celsius = 61;
  return 0;
}
FAKE int nvmlDeviceGetPcieReplayCounter(Device, unsigned* replays) {
  return give(4U, replays);
}
FAKE int nvmlDeviceGetMemoryInfo_v2(Device, MemoryV2* memory) {
  if (fake_nvml.device_code != 0) return fake_nvml.device_code;
  if (memory->version != 0x2000028) return 25;
  *memory = {memory->version, 1000, 100, 900 - fake_nvml.memory_used, fake_nvml.memory_used};
  return 0;
}
FAKE int nvmlDeviceGetComputeRunningProcesses_v3(Device, unsigned* count, unsigned char* infos) {
  return processes(count, infos, fake_nvml.process_stride);
}
#endif

// The oldest names, with the oldest layouts.
FAKE int nvmlInit() {
  return fake_nvml.init_code;
}
FAKE int nvmlDeviceGetHandleByPciBusId(const char* address, Device* device) {
  return by_address(address, device);
}
FAKE int nvmlDeviceGetCurrentClocksThrottleReasons(Device, unsigned long long* reasons) {
  return give(fake_nvml.event_reasons, reasons);
}
FAKE int nvmlDeviceGetTemperature(Device, int sensor, unsigned* celsius) {
  return sensor != 0 ? 2 : give(59U, celsius);
}
FAKE int nvmlDeviceGetMemoryInfo(Device, Memory* memory) {
  if (fake_nvml.device_code != 0) return fake_nvml.device_code;
  *memory = {1000, 900 - fake_nvml.memory_used, 100 + fake_nvml.memory_used};
  return 0;
}
FAKE int nvmlDeviceGetComputeRunningProcesses(Device, unsigned* count, unsigned char* infos) {
  return processes(count, infos, 16);
}

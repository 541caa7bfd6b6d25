// Exported: clocks, heat, power, errors and load. A throttled device (fault throttle) shows it in
// its clocks, its temperature and its reasons.
#include "tests/standin/clock.h"
#include "tests/standin/fault.h"
#include "tests/standin/nvml/handle.h"
#include "tests/standin/nvml/occupants.h"
#include "tests/standin/scenario.h"

namespace splitbench::standin {
namespace {

constexpr int kMemoryClock = 2;               // nvmlClockType_t
constexpr double kProcessorMegahertz = 1980;  // of an H100 SXM, so that numbers look like numbers
constexpr double kMemoryMegahertz = 2619;
constexpr double kHwThermalSlowdown = 0x40;  // nvmlClocksEventReasons
constexpr unsigned kCelsius = 45;
constexpr unsigned kThrottledCelsius = 92;
constexpr double kWatts = 350;
constexpr int kEnabled = 1;

// Times that a throttled device is slower; 1 where it is not throttled.
double slowness(int device) {
  const Fault* fault = find_fault("throttle", device);
  return fault == nullptr ? 1 : fault->number("factor", 2);
}

double full_clock(int type) {
  return type == kMemoryClock ? kMemoryMegahertz : kProcessorMegahertz;
}

double clock_now(int device, int type) {
  return type == kMemoryClock ? kMemoryMegahertz : kProcessorMegahertz / slowness(device);
}

double event_reasons(int device) {
  const Fault* fault = find_fault("throttle", device);
  return fault == nullptr ? 0 : fault->number("reasons", kHwThermalSlowdown);
}

unsigned celsius(int device) {
  return find_fault("throttle", device) == nullptr ? kCelsius : kThrottledCelsius;
}

bool is_clock(int type) {
  return type >= 0 && type <= 3;
}

}  // namespace
}  // namespace splitbench::standin

using namespace splitbench::standin;

extern "C" {

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t handle, int type, unsigned* megahertz) {
  if (!is_clock(type)) return NVML_ERROR_INVALID_ARGUMENT;
  return answer(look_up, handle, megahertz, [=](int device) { return clock_now(device, type); });
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t handle, int type, unsigned* megahertz) {
  if (!is_clock(type)) return NVML_ERROR_INVALID_ARGUMENT;
  return answer(look_up, handle, megahertz, [=](int) { return full_clock(type); });
}

nvmlReturn_t nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t handle,
                                                    unsigned long long* reasons) {
  return answer(look_up_optional, handle, reasons, event_reasons);
}

// The name before CUDA 12.
nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t handle,
                                                       unsigned long long* reasons) {
  return answer(look_up_optional, handle, reasons, event_reasons);
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t handle, int sensor, unsigned* degrees) {
  if (sensor != 0) return NVML_ERROR_INVALID_ARGUMENT;
  return answer(look_up, handle, degrees, celsius);
}

// 0 shutdown, 1 slowdown, 2 memory, 3 processor.
nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t handle, int threshold,
                                               unsigned* degrees) {
  constexpr unsigned kThresholds[] = {98, 90, 105, 87};
  if (threshold < 0 || threshold > 3) return NVML_ERROR_INVALID_ARGUMENT;
  return answer(look_up_optional, handle, degrees, [&](int) { return kThresholds[threshold]; });
}

nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t handle, unsigned* milliwatts) {
  return answer(look_up_optional, handle, milliwatts, [](int) { return kWatts * 1e3; });
}

nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t handle, unsigned* milliwatts) {
  return answer(look_up_optional, handle, milliwatts, [](int) { return 2 * kWatts * 1e3; });
}

// As much as the device's clock says it has worked.
nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t handle,
                                                 unsigned long long* millijoules) {
  return answer(look_up_optional, handle, millijoules,
                [](int device) { return kWatts * 1e3 * to_seconds(device_clock(device)); });
}

nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t handle, int* current, int* pending) {
  if (pending == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  *pending = kEnabled;
  return answer(look_up_optional, handle, current, [](int) { return kEnabled; });
}

// Corrected (0) or uncorrected (1), since the driver was loaded (0) or ever (1).
nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t handle, int type, int counter,
                                         unsigned long long* errors) {
  if (type < 0 || type > 1 || counter < 0 || counter > 1) return NVML_ERROR_INVALID_ARGUMENT;
  return answer(look_up_optional, handle, errors, [](int) { return 0; });
}

nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t handle, unsigned* corrected,
                                       unsigned* uncorrected, unsigned* is_pending,
                                       unsigned* has_failed) {
  for (unsigned* count : {corrected, uncorrected, is_pending, has_failed}) {
    const nvmlReturn_t result = answer(look_up_optional, handle, count, [](int) { return 0; });
    if (result != NVML_SUCCESS) return result;
  }
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t handle, nvmlUtilization_t* percent) {
  return answer(look_up_optional, handle, percent, [](int device) {
    const unsigned busy = occupants(device).empty() ? 0 : 100;
    return nvmlUtilization_t{.gpu = busy, .memory = busy};
  });
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t handle, nvmlMemory_t* memory) {
  return answer(look_up, handle, memory, [](int device) {
    const unsigned long long total = scenario().memory_bytes;
    const unsigned long long used = occupied_bytes(device);
    return nvmlMemory_t{.total = total, .free = total - used, .used = used};
  });
}

}  // extern "C"

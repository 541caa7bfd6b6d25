// Exported: the library, the driver, and which devices there are.
#include <cstdio>
#include <cstring>

#include "tests/standin/device.h"
#include "tests/standin/fault.h"
#include "tests/standin/nvml/handle.h"

using namespace splitbench::standin;

extern "C" {

nvmlReturn_t nvmlInit_v2() {
  if (find_fault("driver-mismatch", -1) != nullptr) return NVML_ERROR_LIB_RM_VERSION_MISMATCH;
  if (const Fault* fault = find_fault("nvml-init", -1)) {
    return static_cast<nvmlReturn_t>(fault->number("code", NVML_ERROR_DRIVER_NOT_LOADED));
  }
  initialise();
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlShutdown() {
  return shut_down() ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

const char* nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
    case NVML_SUCCESS:
      return "Success";
    case NVML_ERROR_UNINITIALIZED:
      return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT:
      return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED:
      return "Not Supported";
    case NVML_ERROR_NO_PERMISSION:
      return "Insufficient Permissions";
    case NVML_ERROR_NOT_FOUND:
      return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
      return "Insufficient Size";
    case NVML_ERROR_DRIVER_NOT_LOADED:
      return "Driver Not Loaded";
    case NVML_ERROR_GPU_IS_LOST:
      return "GPU is lost";
    case NVML_ERROR_LIB_RM_VERSION_MISMATCH:
      return "Driver/library version mismatch";
    default:
      return "Unknown Error";
  }
}

nvmlReturn_t nvmlSystemGetDriverVersion(char* text, unsigned length) {
  if (!is_initialised()) return NVML_ERROR_UNINITIALIZED;
  return copy_text("580.00-stand-in", text, length);
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char* text, unsigned length) {
  return copy_text("13.580.00-stand-in", text, length);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) {
  if (version == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  *version = 13000;
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned* count) {
  if (!is_initialised()) return NVML_ERROR_UNINITIALIZED;
  if (count == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  *count = static_cast<unsigned>(device_count());
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t* handle) {
  if (!is_initialised()) return NVML_ERROR_UNINITIALIZED;
  if (handle == nullptr || index >= static_cast<unsigned>(device_count())) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *handle = handle_of(device_at(index));
  return NVML_SUCCESS;
}

// "domain:bus:device.function", the function optional, or without domain; hexadecimal.
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* text, nvmlDevice_t* handle) {
  if (!is_initialised()) return NVML_ERROR_UNINITIALIZED;
  if (text == nullptr || handle == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned slot = 0;
  unsigned function = 0;
  if (std::sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
    domain = 0;
    if (std::sscanf(text, "%x:%x.%x", &bus, &slot, &function) != 3) {
      return NVML_ERROR_INVALID_ARGUMENT;
    }
  }
  for (int device = 0; device < device_count(); ++device) {
    if (domain == 0 && slot == 0 && bus == static_cast<unsigned>(pci_bus(device))) {
      *handle = handle_of(device);
      return NVML_SUCCESS;
    }
  }
  return NVML_ERROR_NOT_FOUND;
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* text, nvmlDevice_t* handle) {
  if (!is_initialised()) return NVML_ERROR_UNINITIALIZED;
  if (text == nullptr || handle == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  for (int device = 0; device < device_count(); ++device) {
    if (device_uuid_text(device) == text) {
      *handle = handle_of(device);
      return NVML_SUCCESS;
    }
  }
  return NVML_ERROR_NOT_FOUND;
}

}  // extern "C"

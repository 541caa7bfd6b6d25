// Exported: who a device is and how it is set up.
#include <cstdio>

#include "tests/standin/device.h"
#include "tests/standin/nvml/handle.h"
#include "tests/standin/nvml/pci.h"

namespace splitbench::standin {

nvmlPciInfo_t pci_info(int device) {
  nvmlPciInfo_t info{};
  info.bus = static_cast<unsigned>(pci_bus(device));
  info.pciDeviceId = 0xffff10de;  // no product of the vendor 10de
  std::snprintf(info.busIdLegacy, sizeof info.busIdLegacy, "0000:%02X:00.0", info.bus);
  std::snprintf(info.busId, sizeof info.busId, "00000000:%02X:00.0", info.bus);
  return info;
}

}  // namespace splitbench::standin

using namespace splitbench::standin;

extern "C" {

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t handle, char* text, unsigned length) {
  int device = 0;
  const nvmlReturn_t found = look_up(handle, &device);
  return found == NVML_SUCCESS ? copy_text(device_name(device), text, length) : found;
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t handle, char* text, unsigned length) {
  int device = 0;
  const nvmlReturn_t found = look_up(handle, &device);
  return found == NVML_SUCCESS ? copy_text(device_uuid_text(device), text, length) : found;
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t handle, unsigned* index) {
  return answer(look_up, handle, index, [](int device) { return device_count() - 1 - device; });
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t handle, nvmlPciInfo_t* info) {
  return answer(look_up, handle, info, pci_info);
}

// Anybody may use it (NVML_COMPUTEMODE_DEFAULT).
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t handle, int* mode) {
  return answer(look_up, handle, mode, [](int) { return 0; });
}

nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t handle, int* mode) {
  return answer(look_up, handle, mode, [](int) { return 1; });
}

nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t handle, unsigned* current, unsigned* pending) {
  if (pending == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  *pending = 0;
  return answer(look_up_optional, handle, current, [](int) { return 0; });
}

}  // extern "C"

// Exported: fields by number.
#include <optional>

#include "tests/standin/device.h"
#include "tests/standin/nvml/handle.h"
#include "tests/standin/nvml/links.h"

namespace splitbench::standin {
namespace {

constexpr int kUnsignedInt = 1;  // nvmlValueType_t

// Values of the fields that the stand-in knows.
std::optional<unsigned> field_value(int device, unsigned field) {
  switch (field) {
    case 82:  // temperature of the memory, in degrees Celsius
      return 50;
    case 90:  // speed of a link, in 10^6 bytes per second
      return link_megabytes_per_s(device);
    case 91:  // links
      return device_count() < 2 ? 0 : kLinksPerDevice;
    case 94:   // PCIe replays
    case 142:  // rows remapped: corrected, uncorrected, pending, failed
    case 143:
    case 144:
    case 145:
      return 0;
    default:
      return std::nullopt;
  }
}

}  // namespace
}  // namespace splitbench::standin

using namespace splitbench::standin;

extern "C" {

// Each value carries its own result.
nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t handle, int count, nvmlFieldValue_t* values) {
  int device = 0;
  const nvmlReturn_t found = look_up_optional(handle, &device);
  if (found != NVML_SUCCESS) return found;
  if (count < 1 || values == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  for (int i = 0; i < count; ++i) {
    const std::optional<unsigned> value = field_value(device, values[i].fieldId);
    values[i].nvmlReturn = value ? NVML_SUCCESS : NVML_ERROR_NOT_SUPPORTED;
    values[i].valueType = kUnsignedInt;
    values[i].value.uiVal = value.value_or(0);
  }
  return NVML_SUCCESS;
}

}  // extern "C"

#include "tests/standin/nvml/handle.h"

#include <atomic>
#include <cstdint>
#include <cstring>

#include "tests/standin/device.h"
#include "tests/standin/fault.h"

namespace splitbench::standin {
namespace {

std::atomic<int> users{0};

}  // namespace

void initialise() {
  ++users;
}

bool shut_down() {
  int seen = users.load();
  while (seen > 0 && !users.compare_exchange_weak(seen, seen - 1)) {
  }
  return seen > 0;
}

bool is_initialised() {
  return users.load() > 0;
}

// Never looked through: 1 + ordinal, so that null is none.
nvmlDevice_t handle_of(int device) {
  return reinterpret_cast<nvmlDevice_t>(static_cast<std::uintptr_t>(device) + 1);
}

int device_at(unsigned nvml_index) {
  return device_count() - 1 - static_cast<int>(nvml_index);
}

nvmlReturn_t look_up(nvmlDevice_t handle, int* device) {
  if (!is_initialised()) return NVML_ERROR_UNINITIALIZED;
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number < 1 || number > static_cast<std::uintptr_t>(device_count())) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *device = static_cast<int>(number - 1);
  return strike("lost-device", *device) != nullptr ? NVML_ERROR_GPU_IS_LOST : NVML_SUCCESS;
}

nvmlReturn_t look_up_optional(nvmlDevice_t handle, int* device) {
  const nvmlReturn_t found = look_up(handle, device);
  if (found == NVML_SUCCESS && find_fault("nvml-not-supported", *device) != nullptr) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  return found;
}

nvmlReturn_t copy_text(const std::string& text, char* to, unsigned length) {
  if (to == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  if (text.size() + 1 > length) return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return NVML_SUCCESS;
}

}  // namespace splitbench::standin

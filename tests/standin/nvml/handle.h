// From NVML's handles to stand-in devices, and what every call asks first.
//
// NVML counts the devices in another order than CUDA, as it may on real machines: here the other
// way round. Only PCI addresses and UUIDs say which is which.
#pragma once

#include <string>

#include "tests/standin/nvml/nvml_types.h"

namespace splitbench::standin {

// Calls of nvmlInit_v2 and nvmlShutdown are counted.
void initialise();
bool shut_down();  // false: there was nothing to shut down
bool is_initialised();

nvmlDevice_t handle_of(int device);  // by CUDA's ordinal
int device_at(unsigned nvml_index);  // the other way round: CUDA's ordinal

// SUCCESS and *device, or why not: not initialised, no such handle, device lost.
nvmlReturn_t look_up(nvmlDevice_t handle, int* device);

// NOT_SUPPORTED where the scenario says so (fault nvml-not-supported): for what not every device
// and driver offers.
nvmlReturn_t look_up_optional(nvmlDevice_t handle, int* device);

// text and its end, INSUFFICIENT_SIZE where they do not fit.
nvmlReturn_t copy_text(const std::string& text, char* to, unsigned length);

// *to = value of the device of this handle.
template <class Value, class Function>
nvmlReturn_t answer(nvmlReturn_t (*find)(nvmlDevice_t, int*), nvmlDevice_t handle, Value* to,
                    Function value) {
  int device = 0;
  const nvmlReturn_t found = find(handle, &device);
  if (found != NVML_SUCCESS) return found;
  if (to == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  *to = static_cast<Value>(value(device));
  return NVML_SUCCESS;
}

}  // namespace splitbench::standin

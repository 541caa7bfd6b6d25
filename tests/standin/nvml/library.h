// NVML as programs load it: by name of library and function.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "tests/standin/nvml/nvml_types.h"

namespace splitbench::standin {

class Nvml {
 public:
  explicit Nvml(const char* path = SPLITBENCH_STANDIN_NVML)
      : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_NE(handle_, nullptr) << dlerror();
  }

  bool has(const char* name) const { return dlsym(handle_, name) != nullptr; }

  template <class... Arguments>
  nvmlReturn_t call(const char* name, Arguments... arguments) const {
    auto* function = reinterpret_cast<nvmlReturn_t (*)(Arguments...)>(dlsym(handle_, name));
    if (function == nullptr) {
      ADD_FAILURE() << name << " is not there";
      return NVML_ERROR_UNKNOWN;
    }
    return function(arguments...);
  }

  // What the function writes for a device.
  template <class Value, class... Arguments>
  Value get(const char* name, nvmlDevice_t device, Arguments... arguments) const {
    Value value{};
    EXPECT_EQ(call(name, device, arguments..., &value), NVML_SUCCESS) << name;
    return value;
  }

  nvmlDevice_t device_at(unsigned index) const {
    nvmlDevice_t device = nullptr;
    EXPECT_EQ(call("nvmlDeviceGetHandleByIndex_v2", index, &device), NVML_SUCCESS);
    return device;
  }

  nvmlDevice_t device_at(const char* pci_bus_id) const {
    nvmlDevice_t device = nullptr;
    EXPECT_EQ(call("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id, &device), NVML_SUCCESS);
    return device;
  }

 private:
  void* handle_;
};

// The same, initialised.
inline Nvml start_nvml() {
  const Nvml nvml;
  EXPECT_EQ(nvml.call("nvmlInit_v2"), NVML_SUCCESS);
  return nvml;
}

}  // namespace splitbench::standin

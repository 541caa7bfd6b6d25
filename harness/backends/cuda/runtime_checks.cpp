#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "harness/backends/cuda/checks.h"
#include "harness/backends/cuda/environment.h"
#include "harness/backends/cuda/faults.h"
#include "harness/backends/cuda/matmul.h"
#include "harness/backends/cuda/runtime.h"

namespace splitbench::cuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLeastFree = 0.75;

// Errors of a device that worked before, as opposed to one that may not be used.
bool is_fault(cudaError_t error) {
  switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorIllegalAddress:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

CheckResult result_of(const char* check, const char* what, cudaError_t error) {
  const Fault fault = explain(error, runtime_versions());
  const std::string seen = fmt::format("{}: {} ({}, {})", what, fault.sentence,
                                       static_cast<int>(error), cudaGetErrorName(error));
  const std::string mend = fault.mend.empty() ? "check 'nvidia-smi'" : fault.mend;
  return is_fault(error) ? faulty(check, seen, mend) : failed(check, seen, mend);
}

// Whether there are devices to go on with.
int look_at_driver(Examiner& examiner) {
  constexpr const char* kCheck = "driver-version";
  examiner.looks(kCheck, "CUDA runtime: asking for versions");
  const RuntimeVersions versions = runtime_versions();
  examiner.learned("versions", {{"driver", versions.driver}, {"runtime", versions.runtime}});
  examiner.looks(kCheck, "CUDA runtime: counting devices");
  const DeviceCount found = count_devices();
  if (found.error != cudaSuccess) {
    examiner.found(result_of(kCheck, "counting devices", found.error));
    return 0;
  }
  examiner.found(passed(kCheck, fmt::format("the driver knows CUDA {}, this runtime is {}",
                                            versions.driver, versions.runtime)));
  examiner.learned("visible_devices", found.count);
  examiner.learned("devices_are_chosen", std::getenv("CUDA_VISIBLE_DEVICES") != nullptr);
  return found.count;
}

std::vector<int> wanted(const DeviceRequest& request, int visible) {
  if (!request.devices.empty()) return request.devices;
  std::vector<int> first(
      static_cast<std::size_t>(request.ranks == 0 ? visible : std::min(request.ranks, visible)));
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<int>(i);
  return first;
}

CheckResult look_for_twins(const std::vector<DeviceInfo>& devices) {
  constexpr const char* kCheck = "distinct-devices";
  std::set<std::string> known;
  for (const DeviceInfo& device : devices) {
    for (const std::string& identity : {device.uuid, device.pci_bus_id}) {
      if (known.insert(identity).second) continue;
      return failed(kCheck, fmt::format("{} is there twice", identity),
                    "name each once in CUDA_VISIBLE_DEVICES and --devices");
    }
  }
  const auto same = [&](const DeviceInfo& device) {
    return device.name == devices.front().name && device.memory == devices.front().memory;
  };
  // Stand-ins carry their number in their names.
  const bool alike =
      stand_in_truth().has_value() || std::all_of(devices.begin(), devices.end(), same);
  const std::string seen = fmt::format("{} of them", devices.size());
  if (alike) return passed(kCheck, seen);
  return warned(kCheck, seen + ", of several models: the slowest sets the pace",
                "choose those of one model with --devices");
}

Json describe(const DeviceInfo& device) {
  return {{"index", device.index},
          {"name", device.name},
          {"uuid", device.uuid},
          {"pci_bus_id", device.pci_bus_id},
          {"memory_bytes", static_cast<std::int64_t>(device.memory.value())},
          {"compute_capability", fmt::format("{}.{}", device.major, device.minor)}};
}

// The devices on which a kernel ran.
std::vector<int> look_at_kernels(const std::vector<DeviceInfo>& devices, Examiner& examiner) {
  constexpr const char* kCheck = "first-kernel";
  std::vector<int> usable;
  for (const DeviceInfo& device : devices) {
    const std::string who = fmt::format("device {} ({})", device.index, device.pci_bus_id);
    examiner.looks(kCheck, "CUDA runtime: a first kernel on " + who);
    const cudaError_t error = try_device(device.index);
    if (error == cudaSuccess) {
      usable.push_back(device.index);
    } else {
      examiner.found(result_of(kCheck, who.c_str(), error));
    }
  }
  if (usable.size() == devices.size()) {
    examiner.found(
        passed(kCheck, fmt::format("on {} of {} devices", usable.size(), devices.size())));
  }
  return usable;
}

void look_at_memory(const std::vector<int>& usable, Examiner& examiner) {
  constexpr const char* kCheck = "free-memory";
  std::string little;
  for (const int device : usable) {
    examiner.looks(kCheck, fmt::format("CUDA runtime: memory of device {}", device));
    use_device(device);
    const MemoryUse use = memory_use();
    const double free = use.free / use.total;
    if (free < kLeastFree) {
      little +=
          fmt::format("{}device {}: {:.0f} % free", little.empty() ? "" : ", ", device, 100 * free);
    }
  }
  if (usable.empty()) return;
  if (little.empty()) {
    examiner.found(passed(kCheck, "three quarters or more"));
  } else {
    examiner.found(warned(kCheck, little, "end who holds it: nvidia-smi lists them"));
  }
}

void look_at_products(const std::vector<int>& usable, Examiner& examiner) {
  constexpr const char* kCheck = "products";
  if (usable.empty()) return;
  examiner.looks(kCheck, "cuBLASLt: starting it");
  use_device(usable.front());
  const MatmulLibrary library;
  examiner.found(passed(kCheck, "cuBLASLt " + MatmulLibrary::version()));
}

}  // namespace

void examine_runtime(const DeviceRequest& request, Examiner& examiner) {
  examiner.found(passed("module", "loaded"));
  examiner.learned("runtime_library", runtime_path());
  examiner.learned("rank_environment", rank_environment());
  examiner.learned("staged_environment", staged_environment());
  examiner.learned("stand_in", stand_in_truth().has_value());
  const int visible = look_at_driver(examiner);
  if (visible == 0) return;
  examiner.looks("distinct-devices", "CUDA runtime: describing devices");
  std::vector<DeviceInfo> devices;
  Json described = Json::array();
  for (const int index : wanted(request, visible)) {
    if (index >= visible) {
      throw CannotRunHere(fmt::format("there is no device {}; {} visible", index, visible),
                          "choose others with --devices");
    }
    devices.push_back(describe_device(index));
    described.push_back(describe(devices.back()));
  }
  examiner.found(look_for_twins(devices));
  examiner.learned("devices", std::move(described));
  const std::vector<int> usable = look_at_kernels(devices, examiner);
  examiner.learned("usable_devices", usable);
  look_at_memory(usable, examiner);
  look_at_products(usable, examiner);
}

}  // namespace splitbench::cuda

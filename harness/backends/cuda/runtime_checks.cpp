#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "harness/backends/cuda/checks.h"
#include "harness/backends/cuda/environment.h"
#include "harness/backends/cuda/faults.h"
#include "harness/backends/cuda/matmul.h"
#include "harness/backends/cuda/memory_need.h"
#include "harness/backends/cuda/runtime.h"
#include "harness/backends/cuda/seats.h"
#include "harness/backends/cuda/transports.h"

namespace splitbench::cuda {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

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

// Devices under several numbers, or under one that was named again though ranks may not share.
CheckResult look_for_twins(const std::vector<DeviceInfo>& devices, std::size_t seats) {
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
  std::string seen = fmt::format("{} of them", devices.size());
  if (devices.size() < seats) seen += fmt::format(" for {} ranks, as asked", seats);
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

// The devices on which a kernel ran. `begin` was before any call of the runtime.
std::vector<int> look_at_kernels(const std::vector<DeviceInfo>& devices, Clock::time_point begin,
                                 Examiner& examiner) {
  constexpr const char* kCheck = "first-kernel";
  std::vector<int> usable;
  for (const DeviceInfo& device : devices) {
    const std::string who = fmt::format("device {} ({})", device.index, device.pci_bus_id);
    examiner.looks(kCheck, "CUDA runtime: a first kernel on " + who);
    const cudaError_t error = try_device(device.index);
    if (error == cudaSuccess && usable.empty()) {
      examiner.learned("start_up_s", std::chrono::duration<double>(Clock::now() - begin).count());
    }
    if (error == cudaSuccess) {
      usable.push_back(device.index);
    } else {
      examiner.found(about(device.pci_bus_id, result_of(kCheck, who.c_str(), error)));
    }
  }
  if (usable.size() == devices.size()) {
    examiner.found(
        passed(kCheck, fmt::format("on {} of {} devices", usable.size(), devices.size())));
  }
  return usable;
}

// Of the device in use: how much the runtime says is free, and whether it gives any. A device that
// does not is found out here, and not blamed on the libraries that ask for memory next.
CheckResult look_at_memory_of(int device) {
  constexpr const char* kCheck = "free-memory";
  constexpr const char* kMend = "end who holds it: nvidia-smi lists them";
  const MemoryUse use = memory_use();
  const double free = use.free / use.total;
  std::string seen = fmt::format("device {}: {:.0f} % free", device, 100 * free);
  if (!DeviceMemory::try_allocate(kWorkspaceBytes)) {
    seen += fmt::format(", and the device is out of memory at {} MiB", kWorkspaceBytes >> 20);
    return failed(kCheck, seen, kMend);
  }
  return free < kLeastFree ? warned(kCheck, seen, kMend) : passed(kCheck, seen);
}

// Those that have memory to give.
std::vector<int> look_at_memory(const std::vector<DeviceInfo>& devices,
                                const std::vector<int>& usable, Examiner& examiner) {
  std::vector<int> roomy;
  for (const DeviceInfo& device : devices) {
    if (ranks_on(device.index, usable) == 0) continue;
    examiner.looks("free-memory", fmt::format("CUDA runtime: memory of device {}", device.index));
    use_device(device.index);
    CheckResult result = look_at_memory_of(device.index);
    if (result.status != CheckStatus::fail) roomy.push_back(device.index);
    examiner.found(about(device.pci_bus_id, std::move(result)));
  }
  return roomy;
}

void look_at_products(const std::vector<int>& usable, Examiner& examiner) {
  constexpr const char* kCheck = "products";
  if (usable.empty()) return;
  examiner.looks(kCheck, "cuBLASLt: starting it");
  use_device(usable.front());
  const MatmulLibrary library;
  examiner.found(passed(kCheck, "cuBLASLt " + MatmulLibrary::version()));
}

Json one_per_rank(const std::vector<DeviceInfo>& devices, const std::vector<int>& seats) {
  Json described = Json::array();
  for (const int seat : seats) {
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [seat](const auto& device) { return device.index == seat; });
    described.push_back(describe(*found));
  }
  return described;
}

// That what is found of devices that nobody asked for is left out, those there are are told first.
void require_there(std::vector<int> seats, int visible, Examiner& examiner) {
  const auto missing =
      std::find_if(seats.begin(), seats.end(), [&](int seat) { return seat >= visible; });
  if (missing == seats.end()) return;
  const int first = *missing;
  std::erase_if(seats, [&](int seat) { return seat >= visible; });
  examiner.learned("devices", one_per_rank(describe_devices(seats), seats));
  throw CannotRunHere(fmt::format("there is no device {}; {} visible", first, visible),
                      "choose others with --devices");
}

}  // namespace

void examine_runtime(const DeviceRequest& request, Examiner& examiner) {
  const auto begin = Clock::now();
  examiner.found(passed("module", "loaded"));
  examiner.learned("runtime_library", runtime_path());
  examiner.learned("stand_in", stand_in_truth().has_value());
  const int visible = look_at_driver(examiner);
  if (visible == 0) return;
  examiner.looks("distinct-devices", "CUDA runtime: describing devices");
  std::vector<int> seats = seats_of(request, visible);
  const std::vector<std::string> of_ranks = rank_environment(share_a_device(seats));
  examiner.learned("rank_environment", of_ranks);
  examiner.learned("transports", to_json(transports(variables_of_ranks(of_ranks))));
  examiner.learned("staged_environment", staged_environment(share_a_device(seats)));
  require_there(seats, visible, examiner);
  const std::vector<DeviceInfo> devices =
      describe_devices(request.oversubscribe ? each_once(seats) : seats);
  examiner.found(look_for_twins(devices, seats.size()));
  examiner.learned("devices", one_per_rank(devices, seats));
  const std::vector<int> usable =
      look_at_memory(devices, look_at_kernels(devices, begin, examiner), examiner);
  std::erase_if(seats, [&](int seat) { return ranks_on(seat, usable) == 0; });
  examiner.learned("usable_devices", seats);
  look_at_products(usable, examiner);
}

}  // namespace splitbench::cuda

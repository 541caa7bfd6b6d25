#include "results/device_health.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

// The driver and the libraries move a little of their own.
constexpr double kMemoryMargin = 64.0 * 1024 * 1024;
// Source: docs/rules.md "Void rounds", where it was measured.
constexpr double kMostTaken = 0.9;

constexpr std::array<std::string_view, 4> kOutsideReasons{
    "hardware_slowdown", "software_thermal_slowdown", "hardware_thermal_slowdown",
    "hardware_power_brake"};

const DeviceHealth* of_rank(std::span<const DeviceHealth> devices, int rank) {
  const auto found = std::find_if(devices.begin(), devices.end(),
                                  [rank](const DeviceHealth& each) { return each.rank == rank; });
  return found == devices.end() ? nullptr : &*found;
}

std::optional<double> reading(const DeviceHealth* device, const char* key) {
  if (device == nullptr) return std::nullopt;
  const auto found = device->readings.find(key);
  if (found == device->readings.end()) return std::nullopt;
  return found->second;
}

std::string spoken(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string whole(double number) {
  return std::to_string(std::llround(number));
}

// Each of these says what it found, or nothing.

std::string slowed_down(const DeviceHealth& now) {
  if (!now.clock_reasons) return {};
  for (const std::string& reason : *now.clock_reasons) {
    if (std::find(kOutsideReasons.begin(), kOutsideReasons.end(), reason) !=
        kOutsideReasons.end()) {
      return "clocks were held down: " + spoken(reason);
    }
  }
  return {};
}

std::string counted_errors(const DeviceHealth* before, const DeviceHealth& now) {
  if (before == nullptr) return {};
  for (const auto& [counter, count] : now.error_counters) {
    const auto earlier = before->error_counters.find(counter);
    if (earlier != before->error_counters.end() && earlier->second != count) {
      return "the error counter " + counter + " went from " + std::to_string(earlier->second) +
             " to " + std::to_string(count);
    }
  }
  return {};
}

std::string shared_with_others(const DeviceHealth* first, const DeviceHealth& now) {
  if (now.other_processes.value_or(0) > 0) {
    return std::to_string(*now.other_processes) + " process(es) that are not ours used the device";
  }
  const auto at_first = reading(first, kMemoryUsed);
  const auto used = reading(&now, kMemoryUsed);
  if (at_first && used && *used - *at_first > kMemoryMargin) {
    return "memory that is not ours was in use: " + whole((*used - *at_first) * 1e-6) + " MB";
  }
  const auto taken = reading(&now, kTakenByOthers);
  if (taken && *taken > kMostTaken) {
    return "other processes took the device for " + whole(*taken * 100.0) + " % of the round";
  }
  return {};
}

Json to_json(const DeviceHealth& device) {
  Json document{{"rank", device.rank},
                {"readings", device.readings},
                {"error_counters", device.error_counters}};
  if (device.clock_reasons) document[kClockReasons] = *device.clock_reasons;
  if (device.other_processes) document[kOtherProcesses] = *device.other_processes;
  document["unknown"] = device.unknown;
  return document;
}

DeviceHealth one_from_json(const Json& document) {
  DeviceHealth device;
  document.at("rank").get_to(device.rank);
  document.at("readings").get_to(device.readings);
  document.at("error_counters").get_to(device.error_counters);
  if (const auto found = document.find(kClockReasons); found != document.end()) {
    device.clock_reasons = found->get<std::vector<std::string>>();
  }
  if (const auto found = document.find(kOtherProcesses); found != document.end()) {
    device.other_processes = found->get<int>();
  }
  document.at("unknown").get_to(device.unknown);
  return device;
}

}  // namespace

std::string outside_cause(std::span<const DeviceHealth> first, std::span<const DeviceHealth> before,
                          std::span<const DeviceHealth> now) {
  for (const DeviceHealth& device : now) {
    for (const std::string& cause :
         {slowed_down(device), counted_errors(of_rank(before, device.rank), device),
          shared_with_others(of_rank(first, device.rank), device)}) {
      if (!cause.empty()) return "device of rank " + std::to_string(device.rank) + ": " + cause;
    }
  }
  return {};
}

Json to_json(const std::vector<DeviceHealth>& devices) {
  Json list = Json::array();
  for (const DeviceHealth& device : devices) list.push_back(to_json(device));
  return list;
}

std::vector<DeviceHealth> device_health_from_json(const Json& list) {
  std::vector<DeviceHealth> devices;
  for (const Json& document : list) devices.push_back(one_from_json(document));
  return devices;
}

}  // namespace splitbench

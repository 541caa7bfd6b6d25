// What is known of the state of a rank's device at one moment, and whether the time up to it may
// count. What could not be read is not there, and `unknown` says why: it is never taken for well.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace splitbench {

struct DeviceHealth {
  int rank = 0;
  // In base units, the unit in the key's suffix: "sm_clock_hz". Which there are is the backend's
  // affair, but for those that have a name here.
  std::map<std::string, double> readings;
  std::map<std::string, std::uint64_t> error_counters;    // only grow: "ecc_uncorrected"
  std::optional<std::vector<std::string>> clock_reasons;  // why clocks are held down now
  std::optional<int> other_processes;                     // on this device, that are not ours
  std::map<std::string, std::string> unknown;             // what could not be read: why

  friend bool operator==(const DeviceHealth&, const DeviceHealth&) = default;
};

// Bytes of the device's memory in use by anyone.
inline constexpr const char* kMemoryUsed = "memory_used_bytes";
// Keys of `unknown` for what is no number.
inline constexpr const char* kWholeHealth = "health";
inline constexpr const char* kClockReasons = "clock_reasons";
inline constexpr const char* kOtherProcesses = "other_processes";
// Share of the time since the reading before in which the device was withheld from the rank.
inline constexpr const char* kTakenByOthers = "taken_by_others";
// Seconds that a fixed piece of arithmetic took: longer where something outside the system shares
// the device's units, or its clock is held down.
inline constexpr const char* kFixedWork = "fixed_work_s";

// The outside cause for which the time between two readings does not count; empty where there is
// none. `first` is the session's first reading, taken when all memory was allocated. Source:
// docs/rules.md "Void rounds". Readings of ranks that some list lacks say nothing.
std::string outside_cause(std::span<const DeviceHealth> first, std::span<const DeviceHealth> before,
                          std::span<const DeviceHealth> now);

nlohmann::ordered_json to_json(const std::vector<DeviceHealth>& devices);
// Throws nlohmann::json::exception.
std::vector<DeviceHealth> device_health_from_json(const nlohmann::ordered_json& list);

}  // namespace splitbench

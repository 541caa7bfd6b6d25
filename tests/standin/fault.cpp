#include "tests/standin/fault.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "tests/standin/scenario.h"

namespace splitbench::standin {

double Fault::number(const std::string& key, double otherwise) const {
  const auto found = numbers.find(key);
  return found == numbers.end() ? otherwise : found->second;
}

bool is_known_fault(std::string_view name) {
  static constexpr std::array<std::string_view, 18> kNames = {
      "sticky-error",  "out-of-memory",      "no-peer",     "corrupt-peer", "hang-in-init",
      "hang-in-abort", "hang-in-collective", "async-error", "slow-link",    "throttle",
      "lost-device",   "wrong-result",       "error-802",   "nvml-init",    "nvml-not-supported",
      "other-process", "driver-mismatch",    "old-driver"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

const Fault* find_fault(std::string_view name, int device) {
  for (const Fault& fault : scenario().faults) {
    if (fault.name == name && (device < 0 || fault.rank.value_or(device) == device)) return &fault;
  }
  return nullptr;
}

const Fault* strike(std::string_view name, int device) {
  static std::mutex& mutex = *new std::mutex;
  static auto& occasions = *new std::map<std::pair<const Fault*, int>, int>;
  const Fault* fault = find_fault(name, device);
  if (fault == nullptr) return nullptr;
  const std::lock_guard lock(mutex);
  int& seen = occasions[{fault, device}];
  if (seen >= fault->after) return fault;
  ++seen;
  return nullptr;
}

}  // namespace splitbench::standin

#include "tests/standin/fault.h"

#include <map>
#include <mutex>
#include <utility>

#include "tests/standin/scenario.h"

namespace splitbench::standin {

double Fault::number(const std::string& key, double otherwise) const {
  const auto found = numbers.find(key);
  return found == numbers.end() ? otherwise : found->second;
}

namespace {

using Numbers = std::vector<std::string_view>;

// Every fault and the keys that it takes.
const std::map<std::string_view, Numbers>& known_faults() {
  static const auto& known =
      *new std::map<std::string_view, Numbers>{{"sticky-error", {"code"}},
                                               {"out-of-memory", {}},
                                               {"no-peer", {}},
                                               {"corrupt-peer", {"mode", "to"}},
                                               {"hang-in-init", {}},
                                               {"hang-in-abort", {}},
                                               {"hang-in-collective", {}},
                                               {"async-error", {"code"}},
                                               {"slow-link", {"factor"}},
                                               {"throttle", {"factor", "reasons"}},
                                               {"lost-device", {"code"}},
                                               {"wrong-result", {}},
                                               {"error-802", {}},
                                               {"nvml-init", {"code"}},
                                               {"nvml-not-supported", {}},
                                               {"other-process", {"pid", "bytes"}},
                                               {"driver-mismatch", {}},
                                               {"old-driver", {}},
                                               {"hang-in-runtime", {}},
                                               {"hang-in-nvml", {}},
                                               {"exclusive-mode", {}},
                                               {"mig", {}},
                                               {"memory-errors", {"count"}},
                                               {"duplicate-device", {}},
                                               {"no-kernel-image", {}},
                                               {"hidden-device", {}}};
  return known;
}

}  // namespace

bool is_known_fault(std::string_view name) {
  return known_faults().count(name) > 0;
}

std::vector<std::string_view> numbers_of_fault(std::string_view name) {
  return known_faults().at(name);
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

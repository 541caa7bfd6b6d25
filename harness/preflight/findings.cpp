#include "harness/preflight/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

// Each once, by address: the management library has an order of its own.
void add_devices(CheckResult& to, const std::vector<std::string>& devices) {
  std::set<std::string> all(to.devices.begin(), to.devices.end());
  all.insert(devices.begin(), devices.end());
  to.devices.assign(all.begin(), all.end());
}

std::string counted(const Json& facts, const char* risk, const char* key, const char* source,
                    std::vector<int>& counts) {
  if (!facts.contains(risk) || !facts[risk].contains(key)) {
    return fmt::format("{}: unknown", source);
  }
  counts.push_back(facts[risk][key].get<int>());
  return fmt::format("{}: {}", source, counts.back());
}

std::set<std::string> addresses(const Json& facts, const char* risk) {
  std::set<std::string> all;
  if (!facts.contains(risk) || !facts[risk].contains("devices")) return all;
  for (const Json& device : facts[risk]["devices"]) {
    all.insert(device.at("pci_bus_id").get<std::string>());
  }
  return all;
}

bool is_looked_at(const std::vector<CheckResult>& results, const std::string& check) {
  return std::any_of(results.begin(), results.end(),
                     [&](const CheckResult& result) { return result.check == check; });
}

}  // namespace

// The worst that was found; what several found that bad, together.
CheckResult together(std::string_view check, const std::vector<CheckResult>& results) {
  std::vector<CheckResult> of_it;
  for (const CheckResult& result : results) {
    if (result.check == check) of_it.push_back(result);
  }
  const CheckStatus worst = worst_of(of_it);
  std::optional<CheckResult> answer;
  for (const CheckResult& result : of_it) {
    if (result.status != worst) continue;
    if (!answer) {
      answer = result;
      continue;
    }
    if (answer->seen.find(result.seen) == std::string::npos) answer->seen += "; " + result.seen;
    answer->fault = answer->fault || result.fault;
    add_devices(*answer, result.devices);
  }
  return answer ? *answer : not_known(check, "nobody looked");
}

// By three sources. The runtime sees fewer where a variable says so.
CheckResult count_devices(const Json& facts, const DeviceRequest& asked) {
  constexpr const char* kCheck = "device-count";
  std::vector<int> counts;
  std::string seen = counted(facts, "runtime", "visible_devices", "runtime", counts);
  const bool runtime_counted = !counts.empty();
  seen += ", " + counted(facts, "management", "device_count", "management library", counts);
  seen += ", " + counted(facts, "surroundings", "device_files", "files in /dev", counts);
  if (!runtime_counted) return not_known(kCheck, seen);
  const int visible = counts.front();
  if (asked.oversubscribe) {
    seen += ", ranks may share";
  } else if (visible < std::max(asked.ranks, 2)) {
    return failed(kCheck, seen,
                  visible < 2 ? "a split takes two GPUs: use a machine that has them, and check "
                                "CUDA_VISIBLE_DEVICES"
                              : "ask for fewer ranks, or check CUDA_VISIBLE_DEVICES");
  }
  if (asked.ranks == 1 && !asked.oversubscribe) {
    return failed(kCheck, seen + ", one asked for",
                  "a split takes two GPUs: name two with --devices");
  }
  if (counts.size() < 2) return not_known(kCheck, seen, "check 'nvidia-smi -L'");
  const bool chosen = facts["runtime"].value("devices_are_chosen", false);
  if (chosen) seen += ", CUDA_VISIBLE_DEVICES is set";
  const bool alike = std::all_of(counts.begin(), counts.end(), [&](int count) {
    return chosen ? count >= visible : count == visible;
  });
  constexpr std::size_t kSources = 3;
  if (alike && counts.size() == kSources) return passed(kCheck, seen);
  return warned(kCheck, seen, "check the container's devices, or name those meant with --devices");
}

std::vector<CheckResult> in_order(const std::vector<CheckResult>& found,
                                  const std::vector<Risk>& looked_at) {
  std::vector<CheckResult> results;
  for (const Check& check : known_checks()) {
    if (std::find(looked_at.begin(), looked_at.end(), check.risk) != looked_at.end()) {
      results.push_back(together(check.name, found));
    }
  }
  return results;
}

std::vector<CheckResult> of_devices_asked_for(std::vector<CheckResult> found, const Json& facts) {
  if (!facts.contains("runtime") || !facts["runtime"].contains("devices")) return found;
  const std::set<std::string> asked = addresses(facts, "runtime");
  const std::set<std::string> answering = addresses(facts, "management");
  const bool all_answer =
      std::includes(answering.begin(), answering.end(), asked.begin(), asked.end());
  const auto counts = [&](const std::string& device) {
    return device == kNoAddress ? !all_answer : asked.contains(device);
  };
  std::vector<CheckResult> kept;
  for (const CheckResult& result : found) {
    const auto& devices = result.devices;
    if (devices.empty() || std::any_of(devices.begin(), devices.end(), counts)) {
      kept.push_back(result);
    }
  }
  for (const CheckResult& result : found) {
    if (is_looked_at(kept, result.check)) continue;
    kept.push_back(not_known(result.check, "no device asked for could be asked"));
  }
  return kept;
}

}  // namespace splitbench

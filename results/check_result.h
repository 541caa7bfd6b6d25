// What one named check found out about a node before anything was timed on it.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace splitbench {

enum class CheckStatus {
  pass,
  warn,     // weakens a result, refuses none
  fail,     // nothing may be timed here
  unknown,  // could not be looked at; never taken for a pass
};
std::string_view name(CheckStatus status);  // "PASS", "WARN", "FAIL", "UNKNOWN"

struct CheckResult {
  std::string check;  // by its name in the table of checks
  CheckStatus status = CheckStatus::unknown;
  std::string seen;    // what there is, or why nobody could look
  std::string wanted;  // what there should be
  std::string mend;    // the line that mends it; empty where it passed
  // Of a failure: wrong data, a hang, a lost device, as opposed to an environment that cannot do
  // it.
  bool fault = false;
  // What it is about, by PCI address; empty: the node as a whole.
  std::vector<std::string> devices = {};

  friend bool operator==(const CheckResult&, const CheckResult&) = default;
};

// FAIL before UNKNOWN before WARN before PASS. Nothing looked at is UNKNOWN.
CheckStatus worst_of(std::span<const CheckResult> results);

nlohmann::ordered_json to_json(const CheckResult& result);
nlohmann::ordered_json to_json(const std::vector<CheckResult>& results);
// Throws nlohmann::json::exception, InvalidInput.
CheckResult check_result_from_json(const nlohmann::ordered_json& document);
std::vector<CheckResult> check_results_from_json(const nlohmann::ordered_json& list);

}  // namespace splitbench

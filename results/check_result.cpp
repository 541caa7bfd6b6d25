#include "results/check_result.h"

#include <algorithm>
#include <array>

#include "model/invalid_input.h"
#include "protocols/named.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<Named<CheckStatus>, 4> kStatuses{{
    {CheckStatus::pass, "PASS", "as it should be"},
    {CheckStatus::warn, "WARN", "weakens a result"},
    {CheckStatus::fail, "FAIL", "nothing may be timed here"},
    {CheckStatus::unknown, "UNKNOWN", "could not be looked at"},
}};

CheckStatus status(const std::string& name) {
  if (const auto found = find_in<CheckStatus>(kStatuses, name)) return *found;
  throw InvalidInput("status", "unknown status '" + name + "'");
}

int gravity(CheckStatus status) {
  switch (status) {
    case CheckStatus::pass:
      return 0;
    case CheckStatus::warn:
      return 1;
    case CheckStatus::unknown:
      return 2;
    case CheckStatus::fail:
      break;
  }
  return 3;
}

}  // namespace

std::string_view name(CheckStatus status) {
  return name_in<CheckStatus>(kStatuses, status);
}

CheckStatus worst_of(std::span<const CheckResult> results) {
  if (results.empty()) return CheckStatus::unknown;
  return std::max_element(results.begin(), results.end(),
                          [](const CheckResult& a, const CheckResult& b) {
                            return gravity(a.status) < gravity(b.status);
                          })
      ->status;
}

Json to_json(const CheckResult& result) {
  return {{"check", result.check},
          {"status", name(result.status)},
          {"seen", result.seen},
          {"wanted", result.wanted},
          {"mend", result.mend.empty() ? Json(nullptr) : Json(result.mend)},
          {"fault", result.fault},
          {"devices", result.devices}};
}

Json to_json(const std::vector<CheckResult>& results) {
  Json list = Json::array();
  for (const CheckResult& result : results) list.push_back(to_json(result));
  return list;
}

CheckResult check_result_from_json(const Json& document) {
  const Json& mend = document.at("mend");
  return {.check = document.at("check").get<std::string>(),
          .status = status(document.at("status").get<std::string>()),
          .seen = document.at("seen").get<std::string>(),
          .wanted = document.at("wanted").get<std::string>(),
          .mend = mend.is_null() ? std::string() : mend.get<std::string>(),
          .fault = document.at("fault").get<bool>(),
          // not in records of before checks named devices
          .devices = document.value("devices", std::vector<std::string>())};
}

std::vector<CheckResult> check_results_from_json(const Json& list) {
  std::vector<CheckResult> results;
  for (const Json& document : list) results.push_back(check_result_from_json(document));
  return results;
}

}  // namespace splitbench

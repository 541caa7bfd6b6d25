#include "results/run_filter.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <string_view>

#include "model/invalid_input.h"
#include "results/store.h"

namespace splitbench {
namespace {

bool equal_or_any(const std::string& wanted, const std::string& value) {
  return wanted.empty() || wanted == value;
}

// Of "dddd-dd-dd".
bool in_calendar(const std::string& text) {
  using namespace std::chrono;
  const auto number = [&text](std::size_t at, std::size_t digits) {
    return std::stoi(text.substr(at, digits));
  };
  return (year(number(0, 4)) / number(5, 2) / number(8, 2)).ok();
}

}  // namespace

bool RunFilter::takes(const RunSummary& run) const {
  return equal_or_any(backend, run.backend) && equal_or_any(protocol, run.protocol) &&
         run.fingerprint.rfind(fingerprint, 0) == 0 && run.started_utc >= since &&
         (until.empty() || run.started_utc.substr(0, until.size()) <= until) &&
         (!outcome || *outcome == run.outcome);
}

std::string date(const std::string& text) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  const auto fits = [](char form, char c) {
    return form == 'd' ? std::isdigit(static_cast<unsigned char>(c)) != 0 : form == c;
  };
  const bool has_form =
      text.size() == kForm.size() && std::equal(kForm.begin(), kForm.end(), text.begin(), fits);
  if (!has_form || !in_calendar(text)) {
    throw InvalidInput("", "'" + text + "' is no date; expected one like 2026-01-31");
  }
  return text;
}

}  // namespace splitbench

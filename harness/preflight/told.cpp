#include "harness/preflight/told.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMendSilence =
    "if this machine is only slow to start, give it longer with --deadline; else restart it, and "
    "look at the kernel log";
constexpr const char* kMendLate = "give it longer with --deadline";
constexpr const char* kMendEnd =
    "look at the kernel log: memory may have run out, or a driver failed";

CheckResult outcome(const std::string& check, const std::string& reason, ChildEnd::How how) {
  if (how == ChildEnd::How::late) return not_known(check, reason, kMendLate);
  return faulty(check, reason, how == ChildEnd::How::silent ? kMendSilence : kMendEnd);
}

}  // namespace

bool Listener::hear(const Json& line) {
  if (line.contains("doing")) {
    doing_ = line["doing"].get<std::string>();
    at_ = line.at("check").get<std::string>();
  } else if (line.contains("found")) {
    told_.results.push_back(check_result_from_json(line["found"]));
  } else if (line.contains("learned")) {
    told_.facts[line["learned"].get<std::string>()] = line.at("fact");
  } else {
    reason_ = line.at("end").get<std::string>();
    return true;
  }
  return false;
}

Told Listener::told(const ChildEnd& end) && {
  if (end.how != ChildEnd::How::answered) {
    reason_ = fmt::format("{}{} while {}", who_, end.words, doing_);
    if (!at_.empty()) told_.results.push_back(outcome(at_, reason_, end.how));
  }
  if (!reason_.empty()) told_.facts["not_examined"] = reason_;
  const std::string why = "not looked at: " + why_no_further();
  for (const Check& check : known_checks()) {
    if (check.risk != risk_ || has(check.name)) continue;
    told_.results.push_back(not_known(check.name, why));
  }
  return std::move(told_);
}

bool Listener::has(std::string_view check) const {
  return std::any_of(told_.results.begin(), told_.results.end(),
                     [check](const CheckResult& result) { return result.check == check; });
}

// Why the child came no further; else what it found before that was not well.
std::string Listener::why_no_further() const {
  if (!reason_.empty()) return reason_;
  for (const CheckResult& result : told_.results) {
    if (result.status != CheckStatus::pass) return "see " + result.check;
  }
  return "nobody did";
}

Told not_asked(Risk risk, const std::string& why) {
  Listener listener(risk, {});
  listener.hear({{"end", why}});
  return std::move(listener).told({});
}

}  // namespace splitbench

#include "results/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

std::string xml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
    }
  }
  return out;
}

// Of a message; in a property ':' and ',' mean something, too.
std::string command_text(const std::string& text, bool property) {
  std::string out;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    out += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return out;
}

std::string text(const Json& object, const char* key) {
  return object[key].get<std::string>();
}

long count(const Json& checks, std::string_view outcome) {
  return std::count_if(checks.begin(), checks.end(),
                       [outcome](const Json& check) { return check["outcome"] == outcome; });
}

// Of a check that did not pass.
std::string test_result(const Json& check) {
  const std::string outcome = text(check, "outcome");
  const std::string element = outcome == "regression" ? "failure"
                              : outcome == "unknown"  ? "error"
                                                      : "skipped";
  return fmt::format("<{} message=\"{}\"/>", element, xml(text(check, "reason")));
}

std::string annotation(const Json& gate, const Json& check) {
  const std::string outcome = text(check, "outcome");
  if (outcome == "pass") return "";
  const std::string_view level = outcome == "regression" ? "error"
                                 : outcome == "unknown"  ? "warning"
                                                         : "notice";
  const std::string title = fmt::format("splitbench gate: {} {}", text(check, "quantity"), outcome);
  const std::string message =
      fmt::format("{}: {} (run {}{})", text(check, "point"), text(check, "reason"),
                  text(gate["run"], "id"), gate["provisional"].get<bool>() ? ", provisional" : "");
  return fmt::format("::{} title={}::{}\n", level, command_text(title, true),
                     command_text(message, false));
}

}  // namespace

std::string junit_text(const Json& gate) {
  const Json& checks = gate["checks"];
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites>\n"
      "  <testsuite name=\"splitbench gate\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "skipped=\"{}\" timestamp=\"{}\">\n",
      checks.size(), count(checks, "regression"), count(checks, "unknown"),
      count(checks, "learning"), xml(text(gate["run"], "started_utc")));
  for (const Json& check : checks) {
    const std::string name = fmt::format("    <testcase classname=\"{}\" name=\"{}: {}\"",
                                         xml(text(gate["run"], "protocol")),
                                         xml(text(check, "point")), xml(text(check, "quantity")));
    out += check["outcome"] == "pass" ? name + "/>\n"
                                      : fmt::format("{}>{}</testcase>\n", name, test_result(check));
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

std::string github_text(const Json& gate) {
  if (gate["outcome"] == "pass") {
    return fmt::format("::notice title=splitbench gate%3A pass::{} checks of run {}\n",
                       gate["checks"].size(), command_text(text(gate["run"], "id"), false));
  }
  std::string out;
  for (const Json& check : gate["checks"]) out += annotation(gate, check);
  return out;
}

}  // namespace splitbench

#include "results/gate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "results/import/text_source.h"

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
  for (const char c : printable(text)) {
    const bool special = c == '%' || (property && (c == ':' || c == ','));
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

std::string number_or_none(const Json& value) {
  return value.is_null() ? "none" : value.dump();
}

// Every figure of a check, a line each, in base units.
std::string figures(const Json& check) {
  const Json& baseline = check["baseline"];
  std::string shortfalls;
  for (const Json& shortfall : check["shortfalls"]) {
    shortfalls += (shortfalls.empty() ? "" : ", ") + shortfall.dump();
  }
  return fmt::format(
      "value: {}\nspread: {}\nbaseline: {}\nshortfalls: {}\nthreshold: {}\nreason: {}\n",
      number_or_none(check["value"]), number_or_none(check["spread"]),
      baseline.is_null() ? "none"
                         : fmt::format("{} of {} runs, spread {}", baseline["value"].dump(),
                                       baseline["runs"].dump(), baseline["spread"].dump()),
      shortfalls.empty() ? "none" : shortfalls, number_or_none(check["threshold"]),
      xml(text(check, "reason")));
}

std::string test_case(const Json& gate, const Json& check) {
  return fmt::format(
      "    <testcase classname=\"{}\" name=\"{}: {}\">{}\n"
      "      <system-out>{}</system-out>\n"
      "    </testcase>\n",
      xml(text(gate["run"], "protocol")), xml(text(check, "point")), xml(text(check, "quantity")),
      check["outcome"] == "pass" ? "" : "\n      " + test_result(check), figures(check));
}

std::string property(const char* name, const std::string& value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml(value));
}

std::string properties(const Json& gate) {
  const Json& again = gate["confirmation"];
  return "    <properties>\n" + property("run", text(gate["run"], "id")) +
         property("outcome", text(gate, "outcome")) +
         property("provisional", gate["provisional"].get<bool>() ? "true" : "false") +
         (again.is_null() ? "" : property("confirmed by", text(again, "id"))) +
         "    </properties>\n";
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
  out += properties(gate);
  for (const Json& check : checks) out += test_case(gate, check);
  return out + "  </testsuite>\n</testsuites>\n";
}

std::string github_text(const Json& gate) {
  if (gate["outcome"] == "pass") {
    return fmt::format("::notice title=splitbench gate%3A pass::{} checks of run {}{}\n",
                       gate["checks"].size(), command_text(text(gate["run"], "id"), false),
                       gate["provisional"].get<bool>() ? ", provisional" : "");
  }
  std::string out;
  for (const Json& check : gate["checks"]) out += annotation(gate, check);
  return out;
}

}  // namespace splitbench

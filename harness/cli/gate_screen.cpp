#include "harness/cli/gate_screen.h"

#include <fmt/format.h>

#include "harness/cli/screen_text.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string text(const Json& object, const char* key) {
  return object[key].get<std::string>();
}

std::string value_text(const Json& check, const Json& value) {
  if (value.is_null()) return "no value";
  return number_text(value.get<double>(), {},
                     check["quantity"] == "speedup" ? Unit::factor : Unit::seconds);
}

std::string baseline_text(const Json& check) {
  const Json& baseline = check["baseline"];
  if (baseline.is_null()) return "";
  std::string worse;
  for (const Json& shortfall : check["shortfalls"]) {
    worse += fmt::format("{}{:+.2f}", worse.empty() ? "" : ", ", 100.0 * shortfall.get<double>());
  }
  return fmt::format("baseline {} of {}; the last runs are worse by {} %, {:.2f} % counts",
                     value_text(check, baseline["value"]),
                     counted(baseline["runs"].get<int>(), "run"), worse,
                     100.0 * check["threshold"].get<double>());
}

std::string check_lines(const Json& check) {
  std::string lines =
      fmt::format("  {:<8} {:<11} {}\n", check["quantity"] == "speedup" ? "speedup" : "T_N",
                  upper(text(check, "outcome")), value_text(check, check["value"]));
  const std::string baseline = baseline_text(check);
  if (!baseline.empty()) lines += wrapped("           ", baseline, 11);
  return lines + wrapped("           ", text(check, "reason"), 11);
}

std::string baseline_lines(const Json& baseline) {
  if (baseline["begins_with"].is_null()) return "  baseline   no earlier run\n";
  std::string words =
      fmt::format("{} from {} on", counted(baseline["earlier_runs"].get<int>(), "run"),
                  text(baseline, "begins_with"));
  if (const Json& mark = baseline["accepted"]; !mark.is_null()) {
    words += fmt::format(", accepted by {}: {}", text(mark, "author"), text(mark, "reason"));
  }
  return wrapped("  baseline   ", words, 13);
}

}  // namespace

std::string gate_screen(const Json& gate) {
  const Json& run = gate["run"];
  std::string lines = fmt::format("GATE: {}{}\n", upper(text(gate, "outcome")),
                                  gate["provisional"].get<bool>() ? ", provisional" : "");
  lines += wrapped("  run        ",
                   fmt::format("{} of {}, protocol {}", text(run, "id"), text(run, "started_utc"),
                               text(run, "protocol")),
                   13);
  lines += wrapped("  machine    ",
                   fmt::format("{} ({})", text(run, "devices"), text(run, "fingerprint")), 13);
  lines += baseline_lines(gate["baseline"]);
  if (gate["provisional"].get<bool>()) {
    lines += wrapped("  confirmed  ",
                     fmt::format("by run {}, made at once: it shares what disturbed the first, so "
                                 "the next run decides",
                                 text(gate["confirmation"], "id")),
                     13);
  }
  std::string point;
  for (const Json& check : gate["checks"]) {
    if (check["point"] != point) {
      point = text(check, "point");
      lines += fmt::format("\n{}", wrapped("", point, 0));
    }
    lines += check_lines(check);
  }
  return lines;
}

}  // namespace splitbench::cli

#include "harness/cli/compare_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "harness/cli/screen_text.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Shown {
  std::string_view quantity;
  std::string_view label;
  Unit unit;
};
constexpr std::array kShown{
    Shown{"speedup", "speedup", Unit::factor},
    Shown{"t1_s", "T1", Unit::seconds},
    Shown{"tn_s", "T_N", Unit::seconds},
    Shown{"serial_s", "serial S", Unit::seconds},
    Shown{"compute_s", "divisible C", Unit::seconds},
    Shown{"efficiency", "efficiency eta", Unit::ratio},
    Shown{"latency_s", "fixed cost l", Unit::seconds},
    Shown{"bandwidth_bytes_per_s", "bandwidth B", Unit::bytes_per_second},
};

std::string side_lines(const char* which, const Json& side) {
  const auto outcome = side["outcome"].get<std::string>();
  return wrapped(
      fmt::format("  {}  ", which),
      fmt::format("{}, {}, protocol {}{}", side["id"].get<std::string>(),
                  side["devices"].get<std::string>(), side["protocol"].get<std::string>(),
                  outcome == "complete" ? "" : fmt::format(", {}", outcome)),
      5);
}

std::string value_text(const Json& estimate, Unit unit) {
  return estimate.is_null() ? "-" : number_text(estimate["value"].get<double>(), {}, unit);
}

std::string change_text(const Json& row) {
  if (row["change"].is_null()) return "-";
  const Json& ends = row["interval"];
  return percent_text(row["change"].get<double>(),
                      Interval{ends[0].get<double>(), ends[1].get<double>()});
}

std::string outcome_text(const Json& row) {
  const auto outcome = row["outcome"].get<std::string>();
  if (outcome == "cannot-say") return "cannot say";
  return outcome == "same" ? outcome : upper(outcome);
}

std::string row_line(const Json& row) {
  const auto quantity = row["quantity"].get<std::string>();
  const auto* shown = std::find_if(kShown.begin(), kShown.end(),
                                   [&](const Shown& one) { return one.quantity == quantity; });
  return fmt::format("  {:<15}{:<12}{:<12}{:<26}{}\n", shown->label,
                     value_text(row["a"], shown->unit), value_text(row["b"], shown->unit),
                     change_text(row), outcome_text(row));
}

std::string verdict_line(const char* what, const Json& verdicts) {
  if (verdicts["a"] == verdicts["b"]) return "";
  const auto word = [](const Json& verdict) {
    return verdict.is_null() ? "none" : verdict.get<std::string>();
  };
  return wrapped("  ",
                 fmt::format("{}: {}, was {}", what, word(verdicts["b"]), word(verdicts["a"])), 4);
}

std::string point_lines(const Json& point) {
  std::string text = fmt::format("\n{}", wrapped("", point["label"].get<std::string>(), 0));
  text += fmt::format("  {:<15}{:<12}{:<12}{}\n", "", "A", "B", "B over A, less 1");
  for (const Json& row : point["rows"]) text += row_line(row);
  text += verdict_line("the split", point["split_verdict"]);
  text += verdict_line("the model", point["model_verdict"]);
  return text + fmt::format("  changes of more than {:.1f} % count here\n",
                            100.0 * point["least_effect"].get<double>());
}

std::string only_in(const char* which, const Json& labels) {
  std::string text;
  for (const Json& label : labels) {
    text += wrapped(fmt::format("  only in {}  ", which), label.get<std::string>(), 13);
  }
  return text;
}

std::string kind_of_times(const std::string& times_are) {
  if (times_are == "measured") return "";
  return fmt::format("  times are {}: nothing here is of a real device\n", times_are);
}

}  // namespace

std::string environment_lines(const Json& changes, std::size_t indent) {
  std::string text;
  const auto word = [](const Json& value) {
    return value.is_null() ? "none" : value.get<std::string>();
  };
  for (const Json& change : changes) {
    text += wrapped(fmt::format("{:{}}", "", indent),
                    fmt::format("{}: {} -> {}", change["what"].get<std::string>(),
                                word(change["before"]), word(change["after"])),
                    indent + 2);
  }
  return text;
}

std::string compare_screen(const Json& comparison) {
  std::string text = "What changed from A to B?\n" + side_lines("A", comparison["a"]) +
                     side_lines("B", comparison["b"]) +
                     kind_of_times(comparison["a"]["times_are"].get<std::string>());
  text += comparison["environment"].empty() ? "  nothing in their environments differs\n"
                                            : "  in their environments:\n";
  text += environment_lines(comparison["environment"], 4);
  for (const Json& point : comparison["points"]) text += point_lines(point);
  const std::string alone =
      only_in("A", comparison["only_in_a"]) + only_in("B", comparison["only_in_b"]);
  if (!alone.empty()) text += "\nNot compared:\n" + alone;
  return text +
         "\n  [low, high] is the 95 % interval over the sessions of both. BETTER, WORSE: all\n"
         "  of it lies beyond what counts; same: within. The row of l is what its change\n"
         "  makes of T_N: Q (l of B - l of A) / T_N of A\n";
}

}  // namespace splitbench::cli

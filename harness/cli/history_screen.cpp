#include "harness/cli/history_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/cli/compare_screen.h"
#include "harness/cli/screen_text.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string text(const Json& object, const char* key) {
  return object[key].get<std::string>();
}

Unit unit_of(const Json& series) {
  return series["quantity"] == "speedup" ? Unit::factor : Unit::seconds;
}

std::string symbol(const Json& series) {
  const std::string quantity = text(series, "quantity");
  return quantity == "speedup" ? quantity : quantity == "t1_s" ? "T1" : "T_N";
}

std::string change_lines(const Json& series, const Json& change) {
  const Json& ends = change["interval"];
  std::string lines =
      wrapped("    ",
              fmt::format("{} from run {}: {} -> {}, {} {}", text(change, "started_utc"),
                          text(change, "run"),
                          number_text(change["before"].get<double>(), {}, unit_of(series)),
                          number_text(change["after"].get<double>(), {}, unit_of(series)),
                          percent_text(change["change"].get<double>(),
                                       Interval{ends[0].get<double>(), ends[1].get<double>()}),
                          upper(text(change, "direction"))),
              6);
  for (const Json& step : change["environment"]) {
    lines += wrapped("      ", fmt::format("changed with run {}:", text(step, "run")), 8);
    lines += environment_lines(step["changes"], 8);
  }
  if (change["environment"].empty()) lines += "      nothing in the environment changed there\n";
  return lines;
}

std::string values_lines(const Json& series, std::size_t last) {
  const Json& values = series["values"];
  std::string lines;
  for (std::size_t i = values.size() - std::min(values.size(), last); i < values.size(); ++i) {
    const Json& ends = values[i]["interval"];
    std::optional<Interval> interval;
    if (!ends.is_null()) interval = Interval{ends[0].get<double>(), ends[1].get<double>()};
    lines += wrapped(
        "    ",
        fmt::format("{}  {}", text(values[i], "started_utc"),
                    number_text(values[i]["value"].get<double>(), interval, unit_of(series))),
        6);
  }
  return lines;
}

std::string series_lines(const Json& series, std::size_t last) {
  const Json& changes = series["change_points"];
  std::string lines = fmt::format(
      "  {}: {}, {}\n", symbol(series),
      counted(static_cast<long long>(series["values"].size()), "run"),
      changes.empty() ? "no change of level"
                      : counted(static_cast<long long>(changes.size()), "change of level"));
  for (const Json& change : changes) lines += change_lines(series, change);
  return lines + values_lines(series, last);
}

}  // namespace

std::string history_screen(const Json& history, std::size_t last) {
  std::string lines =
      wrapped("",
              fmt::format("{} of protocol {}", counted(history["runs"].get<long long>(), "run"),
                          text(history, "protocol")),
              2);
  lines += wrapped("  machine  ",
                   fmt::format("{} ({}), times {}", text(history, "devices"),
                               text(history, "fingerprint"), text(history, "times_are")),
                   11);
  for (const Json& mark : history["marks"]) {
    lines += wrapped("  accepted ",
                     fmt::format("run {} by {}: {}", text(mark, "run"), text(mark, "author"),
                                 text(mark, "reason")),
                     11);
  }
  std::string point;
  for (const Json& series : history["series"]) {
    if (text(series, "point") != point) {
      point = text(series, "point");
      lines += fmt::format("\n{}", wrapped("", point, 0));
    }
    lines += series_lines(series, last);
  }
  return lines;
}

}  // namespace splitbench::cli

#include "harness/cli/verdict_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "harness/cli/point_screen.h"
#include "harness/cli/screen_text.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kDetailed = 3;  // points
constexpr std::size_t kMostNotes = 6;

std::string fact(std::string_view label, std::string_view text) {
  return wrapped(fmt::format("  {:<11}", label), text, 13);
}

// "2 x CPU core", "NVIDIA H200 + NVIDIA L4".
std::string devices(const Json& list) {
  std::string text;
  for (std::size_t first = 0, next = 0; first < list.size(); first = next) {
    const auto name = list[first]["name"].get<std::string>();
    while (next < list.size() && list[next]["name"] == name) ++next;
    text += first == 0 ? "" : " + ";
    text += next - first > 1 ? fmt::format("{} x {}", next - first, name) : name;
  }
  return text;
}

std::string kind_of_times(const std::string& times_are) {
  if (times_are == "measured") return "measured on real devices with real clocks";
  if (times_are == "virtual") return "VIRTUAL: simulated, no device was measured";
  if (times_are == "tabulated") return "TABULATED: looked up in tables of times, nothing was run";
  return "STAND-IN: CPU libraries in the place of the GPU's, says nothing of a GPU";
}

std::string head(const Json& result) {
  const Json& point = result["points"][0];
  const Json& protocol = result["protocol"];
  const auto backend = result["backend"].get<std::string>();
  const auto ranks = point["ranks"].get<int>();
  std::string text =
      fmt::format("Is the operation faster when split over {} devices (tensor parallel, TP={})?\n",
                  ranks, ranks);
  text += fact("on", devices(result["node"]["devices"]) + ", backend " + backend +
                         (backend == "host" ? " (CPU cores: not a GPU number)" : ""));
  text += fact("times", kind_of_times(result["times_are"].get<std::string>()));
  text += fact("protocol",
               protocol["name"].get<std::string>() + ": " + protocol["purpose"].get<std::string>());
  text += fact(
      "sampling",
      fmt::format("{} sessions, {} rounds; {} launch, {} caches; seed {}",
                  result["rounds"]["sessions"].get<int>(), result["rounds"]["counted"].get<int>(),
                  point["launch"].get<std::string>(), point["cache"].get<std::string>(),
                  result["provenance"]["seed"].get<std::uint64_t>()));
  return text;
}

std::string checks(const Json& points) {
  double worst = 0.0;
  for (const Json& point : points) {
    const Json& check = point["correctness"];
    if (check.is_null()) return fact("checked", "NOTHING: " + reason(point, "correctness"));
    if (!check["passed"].get<bool>()) {
      return fact("checked",
                  "FAILED at " + label(point, points) + ": " + check["failure"].get<std::string>());
    }
    worst = std::max(worst, check["max_error"].get<double>() / check["error_bound"].get<double>());
  }
  return fact("checked", fmt::format("exact cases bit for bit; random data within its bound "
                                     "(largest error {:.2g} of it)",
                                     worst));
}

std::string answers(const Json& points) {
  std::size_t width = 0;
  for (const Json& point : points) width = std::max(width, label(point, points).size());
  std::string text = "\nANSWER\n";
  int predicted = 0;
  int by_formula = 0;
  for (const Json& point : points) {
    const Json& comparison = point["comparison"];
    predicted += comparison["model_verdict"] == "holds" ? 1 : 0;
    by_formula += comparison["fit_verdict"] == "holds" ? 1 : 0;
    const std::string predicted_speedup =
        apart_text(point["predicted"], "speedup", "speedup_interval", Unit::factor);
    text += wrapped(
        fmt::format("  {:<{}}  ", label(point, points), width),
        fmt::format("{} {}, predicted {}", upper(comparison["split_verdict"].get<std::string>()),
                    estimate_text(point["measured"]["speedup"], Unit::factor), predicted_speedup),
        4 + width);
  }
  return text + wrapped("  ",
                        fmt::format("The prediction holds at {} of {} points, the formula at {}.",
                                    predicted, points.size(), by_formula),
                        2);
}

// The document's notes and then the points', each once.
std::vector<std::string> notes(const Json& result) {
  auto list = result["notes"].get<std::vector<std::string>>();
  const Json& points = result["points"];
  for (const Json& point : points) {
    for (const Json& note : point["notes"]) {
      list.push_back((points.size() > 1 ? label(point, points) + ": " : "") +
                     note.get<std::string>());
    }
  }
  return list;
}

std::string weaknesses(const Json& result) {
  const std::vector<std::string> all = notes(result);
  if (all.empty()) return "";
  std::string text = "\nWHAT WEAKENS THIS RESULT\n";
  for (std::size_t i = 0; i < std::min(all.size(), kMostNotes); ++i) {
    text += wrapped("  - ", all[i], 4);
  }
  if (all.size() > kMostNotes) {
    text += fmt::format("  - and {} more in the result document\n", all.size() - kMostNotes);
  }
  return text;
}

std::string keeping(const std::vector<std::string>& kept) {
  if (kept.empty()) return "\nNot stored.\n";
  std::string text = "\n";
  for (const std::string& place : kept) text += wrapped("Stored: ", place, 8);
  return text;
}

std::string details(const Json& result) {
  const Json& points = result["points"];
  const std::size_t shown = std::min(points.size(), kDetailed);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += point_screen(result, i);
  text += kLegend;
  if (points.size() > shown) {
    text += fmt::format("{} more points are in the result document.\n", points.size() - shown);
  }
  return text;
}

}  // namespace

std::string verdict_screen(const Json& result, const std::vector<std::string>& kept) {
  const auto outcome = result["outcome"].get<std::string>();
  std::string text = head(result) + checks(result["points"]);
  if (outcome == "void") {
    return text + "\nVOID: a check failed, and no number of this run counts.\n" +
           weaknesses(result) + keeping(kept);
  }
  if (outcome == "partial") {
    text +=
        fmt::format("\nPARTIAL: the run ended early; {} of {} planned rounds count.\n",
                    result["rounds"]["counted"].get<int>(), result["rounds"]["planned"].get<int>());
  }
  return text + answers(result["points"]) + details(result) + weaknesses(result) + keeping(kept);
}

}  // namespace splitbench::cli

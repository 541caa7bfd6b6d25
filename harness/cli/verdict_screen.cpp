#include "harness/cli/verdict_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "harness/cli/normality_screen.h"
#include "harness/cli/point_screen.h"
#include "harness/cli/screen_text.h"
#include "protocols/protocol.h"

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
  return "STAND-IN: CPU libraries in place of the GPU's; nothing about a GPU";
}

std::string sampling(const Json& result) {
  const Json& point = result["points"][0];
  return fmt::format("{}, {}; {} launch, {} caches; seed {}",
                     counted(result["rounds"]["sessions"].get<int>(), "session"),
                     counted(result["rounds"]["counted"].get<int>(), "round"),
                     point["launch"].get<std::string>(), point["cache"].get<std::string>(),
                     result["provenance"]["seed"].get<std::uint64_t>());
}

// Why nothing is judged; nothing where it is.
std::string no_verdict(const Json& node) {
  if (!node.contains("no_verdict")) return "";
  return fact("verdicts", "NONE: " + node["no_verdict"].get<std::string>());
}

// "3.2 to 3.4 s a session, in no other time"; nothing where it was not recorded.
std::string start_up(const Json& sessions) {
  std::vector<double> seconds;
  for (const Json& session : sessions) {
    if (session.contains("start_up_s")) seconds.push_back(session["start_up_s"].get<double>());
  }
  if (seconds.empty()) return "";
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  if (*most < 0.05) return "";  // 0.0 s, as it is shown
  return fact("start-up",
              fmt::format("{:.1f} to {:.1f} s a session, until all ranks had joined: not "
                          "in any time",
                          *least, *most));
}

// Whether the outputs were right, at every point and in every session.
std::string checks(const Json& points) {
  double worst = 0.0;
  bool informative = false;
  for (const Json& point : points) {
    const Json& check = point["correctness"];
    if (check.is_null()) return "NOTHING: " + reason(point, "correctness");
    if (!check["passed"].get<bool>()) {
      return fmt::format("FAILED at {}: {}", label(point, points),
                         check["failure"].get<std::string>());
    }
    informative = informative || check["bound_informative"].get<bool>();
    const auto bound = check["error_bound"].get<double>();
    if (bound > 0.0) worst = std::max(worst, check["max_error"].get<double>() / bound);
  }
  if (!informative) return "exact cases bit for bit; random data say nothing";
  return fmt::format("exact cases bit for bit; random data within {:.2g} % of the bound",
                     100.0 * worst);
}

std::string head(const Json& result) {
  const Json& protocol = result["protocol"];
  const auto backend = result["backend"].get<std::string>();
  const auto ranks = result["points"][0]["ranks"].get<int>();
  return fmt::format(
             "Is the operation faster when split over {} devices (tensor parallel, TP={})?\n",
             ranks, ranks) +
         fact("on", fmt::format("{}, backend {}{}", devices(result["node"]["devices"]), backend,
                                backend == "host" ? " (CPU cores: not a GPU number)" : "")) +
         fact("times", kind_of_times(result["times_are"].get<std::string>())) +
         no_verdict(result["node"]) +
         fact("protocol", fmt::format("{}: {}", protocol["name"].get<std::string>(),
                                      protocol["purpose"].get<std::string>())) +
         fact("sampling", sampling(result)) + start_up(result["health"]["sessions"]) +
         fact("checked", checks(result["points"]));
}

std::string answer(const Json& point) {
  const auto verdict = point["comparison"]["split_verdict"].get<std::string>();
  if (verdict == "fits-only-split") return "too large for one device: there is no speedup";
  return fmt::format("{} {}, predicted {}", upper(verdict),
                     estimate_text(point["measured"]["speedup"], Unit::factor),
                     apart_text(point["predicted"], "speedup", "speedup_interval", Unit::factor));
}

// Of both models, over all points.
std::string model_answer(const Json& points) {
  if (points.size() == 1) {
    const Json& comparison = points[0]["comparison"];
    return fmt::format("  The prediction of T_N: {}. The formula for it: {}.\n",
                       upper(comparison["model_verdict"].get<std::string>()),
                       upper(comparison["fit_verdict"].get<std::string>()));
  }
  const auto holding = [&points](const char* verdict) {
    return std::count_if(points.begin(), points.end(), [verdict](const Json& point) {
      return point["comparison"][verdict] == "holds";
    });
  };
  return fmt::format("  The prediction of T_N holds at {} of {} points, the formula at {}.\n",
                     holding("model_verdict"), points.size(), holding("fit_verdict"));
}

// What the answer rests on, where that is less than a verdict should.
std::string few_sessions(const Json& rounds) {
  const auto sessions = rounds["sessions"].get<std::int64_t>();
  if (sessions >= kVerdictSessions) return "";
  return fmt::format("  (of {}; a dependable verdict takes {})", counted(sessions, "session"),
                     kVerdictSessions);
}

std::string answers(const Json& result) {
  const Json& points = result["points"];
  std::size_t width = 0;
  for (const Json& point : points) width = std::max(width, label(point, points).size());
  std::string text = "\nANSWER: does splitting pay?" + few_sessions(result["rounds"]) + "\n";
  for (const Json& point : points) {
    text +=
        wrapped(fmt::format("  {:<{}}  ", label(point, points), width), answer(point), width + 4);
  }
  return text + model_answer(points);
}

std::string details(const Json& result) {
  const std::size_t points = result["points"].size();
  const std::size_t shown = std::min(points, kDetailed);
  std::string text = "\n";
  for (std::size_t i = 0; i < shown; ++i) text += point_screen(result, i);
  text += legend(result["points"], shown);
  if (points > shown) {
    text += fmt::format("  {} in detail in the result document only\n",
                        counted(static_cast<long long>(points - shown), "more point"));
  }
  return text;
}

// The document's notes, then those of the points.
std::vector<std::string> notes(const Json& result) {
  auto list = result["notes"].get<std::vector<std::string>>();
  const Json& points = result["points"];
  for (const Json& point : points) {
    for (const Json& note : point["notes"]) {
      const std::string text = note.get<std::string>();
      list.push_back(points.size() > 1 ? fmt::format("{}: {}", label(point, points), text) : text);
    }
  }
  return list;
}

std::string weaknesses(const Json& result) {
  std::vector<std::string> all = notes(result);
  // What touches the answer before what touches the line through the collective's sizes.
  std::stable_partition(all.begin(), all.end(), [](const std::string& note) {
    return note.rfind("The collective at ", 0) != 0;
  });
  if (all.empty()) return "";
  std::string text = "\nNOTES: what weakens this result, what was left out\n";
  for (std::size_t i = 0; i < std::min(all.size(), kMostNotes); ++i) {
    text += wrapped("  - ", all[i], 4);
  }
  if (all.size() > kMostNotes) {
    text += fmt::format("  - {} more in the result document\n", all.size() - kMostNotes);
  }
  return text;
}

std::string keeping(const std::vector<std::string>& kept) {
  if (kept.empty()) return "\nNot stored.\n";
  std::string text = "\n";
  for (const std::string& place : kept) text += wrapped("Stored: ", place, 8);
  return text;
}

}  // namespace

std::string verdict_screen(const Json& result, const std::vector<std::string>& kept) {
  const auto outcome = result["outcome"].get<std::string>();
  std::string text = head(result);
  if (outcome == "void") {
    text += '\n';
    text += wrapped("VOID: ", reason(result["points"][0], "measured"), 6);
  } else {
    if (outcome == "partial") {
      text += "\nPARTIAL: the run ended early; this is what it had stored.\n";
    }
    text += answers(result) + details(result);
    const std::string normal = normality_text(result.value("normal", Json::array()));
    if (!normal.empty()) text += '\n' + normal;
  }
  return text + weaknesses(result) + keeping(kept);
}

}  // namespace splitbench::cli

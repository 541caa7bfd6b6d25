#include <fmt/format.h>

#include <algorithm>

#include "harness/cli/point_screen.h"
#include "harness/cli/replay.h"
#include "harness/cli/screen_text.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 24;

std::string head(const Json& result) {
  const Json& implementations = result["points"][0]["choices"]["implementations"];
  std::string names;
  for (const Json& one : implementations) {
    names += (names.empty() ? "" : ", ") + one["implementation"].get<std::string>();
  }
  return "Is the operation faster when split over 2 devices (tensor parallel, TP=2)?\n" +
         wrapped("  on         ", result["node"]["devices"][0]["name"].get<std::string>(), 13) +
         wrapped("  all-reduce ", names, 13) +
         wrapped("  times      ", "TABULATED: looked up in tables of times, nothing was run", 13);
}

std::string widths(const Json& of) {
  return fmt::format("d_model {}, d_ff {}", of["d_model"].get<std::int64_t>(),
                     of["d_ff"].get<std::int64_t>());
}

// "1 to 128, 512 to 32768 (the last)".
std::string tokens_of(const Json& intervals, const std::string& implementation,
                      const std::string& of_widths) {
  std::string text;
  for (const Json& interval : intervals) {
    if (interval["implementation"] != implementation || widths(interval) != of_widths) continue;
    text += fmt::format("{}{} to {}{}", text.empty() ? "" : ", ",
                        interval["from_tokens"].get<std::int64_t>(),
                        interval["to_tokens"].get<std::int64_t>(),
                        interval["to_is_last"].get<bool>() ? " (the last)" : "");
  }
  return text.empty() ? "nowhere" : text;
}

// Of the points of these widths, with this implementation.
std::size_t undecided(const Json& points, const std::string& implementation,
                      const std::string& of_widths) {
  std::size_t count = 0;
  for (const Json& point : points) {
    if (widths(point["operation"]) != of_widths) continue;
    for (const Json& one : point["choices"]["implementations"]) {
      if (one["implementation"] == implementation && one["split_verdict"] == "inconclusive") {
        ++count;
      }
    }
  }
  return count;
}

std::string answers(const Json& result) {
  const Json& points = result["points"];
  std::vector<std::string> shapes;
  for (const Json& point : points) {
    std::string of = widths(point["operation"]);
    if (std::find(shapes.begin(), shapes.end(), of) == shapes.end())
      shapes.push_back(std::move(of));
  }
  std::string text = "\nANSWER: at which of the points' tokens is the split faster?\n";
  for (const Json& one : points[0]["choices"]["implementations"]) {
    const auto name = one["implementation"].get<std::string>();
    text += wrapped("  ", name, 4);
    for (const std::string& shape : shapes) {
      std::string faster = tokens_of(result["faster_intervals"], name, shape);
      if (const std::size_t open = undecided(points, name, shape); open > 0) {
        faster +=
            fmt::format("; {} too close to call", counted(static_cast<long long>(open), "point"));
      }
      text += wrapped(fmt::format("    {}: ", shape), faster, 6);
    }
  }
  return text;
}

std::string points_table(const Json& points) {
  const Json& first = points[0]["choices"]["implementation"];
  std::string text = wrapped("\n", fmt::format("With {}:", first.get<std::string>()), 0) +
                     fmt::format("  {:>7} {:>7} {:>7}  {:<9} {:<9} {:<22} {}\n", "tokens",
                                 "d_model", "d_ff", "T1", "T_N", "T1/T_N", "verdict");
  for (std::size_t i = 0; i < std::min(points.size(), kMostPoints); ++i) {
    const Json& operation = points[i]["operation"];
    const Json& predicted = points[i]["predicted"];
    const auto seconds = [&predicted](const char* key) {
      return number_text(predicted[key]["value"].get<double>(), std::nullopt, Unit::seconds);
    };
    text += fmt::format("  {:>7} {:>7} {:>7}  {:<9} {:<9} {:<22} {}\n",
                        operation["tokens"].get<std::int64_t>(),
                        operation["d_model"].get<std::int64_t>(),
                        operation["d_ff"].get<std::int64_t>(), seconds("t1_s"), seconds("tn_s"),
                        apart_text(predicted, "speedup", "speedup_interval", Unit::factor),
                        upper(points[i]["comparison"]["split_verdict"].get<std::string>()));
  }
  if (points.size() > kMostPoints) {
    text += fmt::format("  {} in the result document only\n",
                        counted(static_cast<long long>(points.size() - kMostPoints), "more point"));
  }
  return text + "  [low, high] is the error of reading between entries, 95 %; none of entries\n";
}

}  // namespace

std::string replay_screen(const Json& result, const std::vector<std::string>& kept) {
  std::string text = head(result) + answers(result) + points_table(result["points"]) + "\nNOTES\n";
  for (const Json& note : result["notes"]) {
    text += wrapped("  - ", note.get<std::string>(), 4);
  }
  text += '\n';
  for (const std::string& place : kept) text += wrapped("Stored: ", place, 8);
  return text;
}

}  // namespace splitbench::cli

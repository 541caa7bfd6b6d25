#include "harness/cli/advice_screen.h"

#include <fmt/format.h>

#include "harness/cli/estimate_screen.h"
#include "harness/cli/screen_text.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string answer_text(const Json& advice, int ranks) {
  const Json& answer = advice.at("answer");
  const std::string words = answer.is_null()        ? "NOT KNOWN"
                            : answer == "split"     ? fmt::format("SPLIT over {}", ranks)
                            : answer == "replicate" ? fmt::format("REPLICATE: {} copies", ranks)
                                                    : "LEAVE ALONE: one device";
  return fmt::format("{}; {}", words, advice.at("why").get<std::string>());
}

std::string losses_text(const Json& losses) {
  std::string text;
  for (const Json& loss : losses) {
    if (!(loss.at("value_s").get<double>() > 0.0)) continue;
    const std::string share = loss.at("share").is_null()
                                  ? ""
                                  : fmt::format(" ({:.0f} %)", 100.0 * loss["share"].get<double>());
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", loss.at("term").get<std::string>(),
                        number_text(loss.at("value_s").get<double>(), std::nullopt, Unit::seconds),
                        share);
  }
  return text.empty() ? "nothing" : text;
}

Unit unit_of(const std::string& parameter) {
  if (parameter == "efficiency") return Unit::ratio;
  return parameter == "bandwidth_bytes_per_s" ? Unit::bytes_per_second : Unit::seconds;
}

std::string label_of(const std::string& parameter) {
  if (parameter == "compute_s") return "compute C";
  if (parameter == "latency_s") return "fixed cost l";
  if (parameter == "collective_s") return "one all-reduce";
  return parameter == "efficiency" ? "efficiency eta" : "bandwidth B";
}

std::string flip_text(const Json& flip) {
  const auto parameter = flip.at("parameter").get<std::string>();
  const Unit unit = unit_of(parameter);
  const std::string head = fmt::format("    {:<15} ", label_of(parameter));
  if (flip.at("flips_at").is_null()) {
    return wrapped(head, "never: " + flip.at("reason").get<std::string>(), 20);
  }
  return wrapped(head,
                 fmt::format("{} now, T1 = T_N at {}",
                             number_text(flip.at("now").get<double>(), std::nullopt, unit),
                             number_text(flip["flips_at"].get<double>(), std::nullopt, unit)),
                 20);
}

std::string point_text(const Json& point) {
  const int ranks = point.at("ranks").get<int>();
  std::string text = fmt::format("\n{}", wrapped("", operation_text(point.at("operation")), 2));
  text += wrapped("  shortest answer  ", answer_text(point.at("latency"), ranks), 19);
  text += wrapped("  most answers     ", answer_text(point.at("throughput"), ranks), 19);
  if (point.at("lost").empty()) return text;
  text += wrapped("  eats the gain    ", losses_text(point["lost"]), 19);
  text += "  what would turn it, the rest kept:\n";
  for (const Json& flip : point.at("flips")) text += flip_text(flip);
  return text;
}

std::string basis_text(const Json& times_are) {
  if (times_are == "measured") return "From what was measured.\n";
  if (times_are == "estimated") {
    return "From an ESTIMATE, the middle of its ranges: nothing was measured here.\n";
  }
  return fmt::format("From times that are {}, not those of real devices.\n",
                     times_are.get<std::string>());
}

}  // namespace

std::string advice_screen(const Json& advice) {
  std::string text = basis_text(advice.at("times_are"));
  if (advice.at("devices").size() == 2) {
    text += fmt::format("Split over two: devices {} and {}.\n", advice["devices"][0].dump(),
                        advice["devices"][1].dump());
  }
  for (const Json& point : advice.at("points")) text += point_text(point);
  for (const Json& note : advice.at("notes")) {
    text += fmt::format("\n{}", wrapped("note: ", note.get<std::string>(), 6));
  }
  return text;
}

}  // namespace splitbench::cli

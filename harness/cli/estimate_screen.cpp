#include "harness/cli/estimate_screen.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cli/normality_screen.h"
#include "harness/cli/screen_text.h"
#include "model/quantity_text.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string link_text(const Json& estimate) {
  const Json& link = estimate.at("link");
  if (link.at("ceiling_bytes_per_s").is_null()) {
    return fmt::format("link unknown: {}", link.at("from").get<std::string>());
  }
  return fmt::format("{} ({}), {} one way: {}", link.at("kind").get<std::string>(),
                     link.at("class").get<std::string>(),
                     to_text(BytesPerSecond(link["ceiling_bytes_per_s"].get<double>())),
                     link.at("from").get<std::string>());
}

std::string all_reduce_text(const Json& curve) {
  if (curve.is_null()) return "none: bounds from the link alone, which are wide";
  return fmt::format("{} sizes, {} of {}", curve.at("rows").dump(),
                     curve.at("format").get<std::string>(), curve.at("file").get<std::string>());
}

std::string head(const Json& estimate) {
  std::string text = "ESTIMATE, nothing was measured here\n";
  const Json& gpu = estimate.at("gpu");
  text += wrapped("  GPU         ", gpu.at("name").get<std::string>(), 14);
  if (!estimate.at("devices").empty()) {
    text += wrapped("  devices     ",
                    fmt::format("{}", fmt::join(estimate["devices"].get<std::vector<int>>(), ", ")),
                    14);
  }
  text += wrapped("  link        ", link_text(estimate), 14);
  text += wrapped("  all-reduce  ", all_reduce_text(estimate.at("all_reduce")), 14);
  return text + normality_text(estimate.at("normal"));
}

std::string verdict_text(const Json& point) {
  const Json& verdict = point.at("split_verdict");
  if (verdict.is_null()) return point.at("reasons").at("split_verdict").get<std::string>();
  if (verdict == "faster") return "the split is FASTER";
  if (verdict == "slower") return "the split is SLOWER";
  if (verdict == "tie") return "a TIE";
  if (verdict == "fits-only-split") return "only the split has room";
  return "INCONCLUSIVE: it may be faster or slower";
}

std::string time_or_reason(const Json& point, const char* key) {
  return point.at(key).is_null() ? point.at("reasons").at(key).get<std::string>()
                                 : range_text(point.at(key), true);
}

constexpr std::array kParameters{std::pair{"serial_s", "S"}, std::pair{"compute_s", "C"},
                                 std::pair{"efficiency", "eta"},
                                 std::pair{"collective_s", "all-reduce"}};

std::string parameters_text(const Json& parameters) {
  std::string text;
  for (const auto& [key, label] : kParameters) {
    text += fmt::format("    {:<11} {}\n", label,
                        range_text(parameters.at(key), std::string_view(key) != "efficiency"));
  }
  return text;
}

// What the ranges of all points are from, each said once.
std::string sources_text(const Json& points) {
  std::string text = "\nWhere the ranges are from\n";
  for (const auto& [key, label] : kParameters) {
    std::set<std::string> said;
    for (const Json& point : points) {
      const auto from = point.at("parameters").at(key).at("from").get<std::string>();
      if (said.insert(from).second) text += wrapped(fmt::format("  {:<11} ", label), from, 14);
    }
  }
  return text;
}

std::string point_text(const Json& point) {
  std::string text = fmt::format("\n{}", wrapped("", operation_text(point.at("operation")), 2));
  const std::string gain =
      point.at("speedup").is_null() ? "" : ", speedup " + range_text(point["speedup"], false);
  text += wrapped("  ", verdict_text(point) + gain, 4);
  text += wrapped("  one device  ", time_or_reason(point, "t1_s"), 14);
  text += wrapped("  split       ", time_or_reason(point, "tn_s"), 14);
  text += parameters_text(point.at("parameters"));
  if (!point.at("narrowings").empty()) {
    const Json& best = point["narrowings"].front();
    text += wrapped(
        "  to know more, measure ",
        fmt::format("{} (the range narrows by {:.0f} %)", best.at("measure").get<std::string>(),
                    100.0 * best.at("narrower").get<double>()),
        4);
  }
  return text;
}

}  // namespace

std::string range_text(const Json& range, bool is_time) {
  const double low = range.at("low").get<double>();
  const double high = range.at("high").get<double>();
  const Unit unit = is_time ? Unit::seconds : Unit::ratio;
  const std::string last = number_text(high, std::nullopt, unit);
  return low == high ? last : fmt::format("{} to {}", number_text(low, std::nullopt, unit), last);
}

std::string operation_text(const Json& operation) {
  return fmt::format("{}: d_model {}, d_ff {}, {}, {}",
                     counted(operation.at("tokens").get<long long>(), "token"),
                     operation.at("d_model").dump(), operation.at("d_ff").dump(),
                     counted(operation.at("layers").get<long long>(), "layer"),
                     operation.at("dtype").get<std::string>());
}

std::string estimate_screen(const Json& estimate) {
  std::string text = head(estimate);
  for (const Json& point : estimate.at("points")) text += point_text(point);
  text += sources_text(estimate.at("points"));
  for (const Json& note : estimate.at("notes")) {
    text += fmt::format("\n{}", wrapped("note: ", note.get<std::string>(), 6));
  }
  return text;
}

}  // namespace splitbench::cli

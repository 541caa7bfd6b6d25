#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/proof/picture/pictures.h"

namespace splitbench::proof {
namespace {

constexpr double kRow = 17.0;      // height of a way to predict
constexpr double kNames = 196.0;   // their names, left of a panel
constexpr double kWidth = 214.0;   // of a panel
constexpr double kColumn = 480.0;  // from panel to panel
constexpr double kTop = 96.0;
constexpr double kBelow = 58.0;  // from a panel to the next below

// All ways to predict on the same shapes: one panel.
struct Group {
  std::string title;
  std::vector<const Json*> rows;
};

std::vector<Group> groups_of(const Json& document) {
  std::vector<Group> groups{{"simulated machines", {}}};
  for (const Json& row : *rows_of(document, "prediction error")) {
    groups.front().rows.push_back(&row);
  }
  const Json* tables = rows_of(document, "public tables");
  if (tables == nullptr) return groups;
  for (const Json& row : *tables) {
    const auto name = row.at("tables").get<std::string>();
    if (groups.back().title != name) groups.push_back({name, {}});
    groups.back().rows.push_back(&row);
  }
  return groups;
}

const Series kMean{"mean error", "a", Mark::circle};
const Series kP95{"95th percentile", "b", Mark::square};
const Series kMax{"largest", "c", Mark::diamond};

void draw_row(Svg& svg, const Panel& panel, double at, const Json& row) {
  const auto name = row.at("prediction").get<std::string>();
  svg.text({panel.area().x - 8.0, panel.at(1.0, at).y + 4.0}, name, "text", Anchor::end);
  const Spot right{panel.area().x + panel.area().width + 44.0, panel.at(1.0, at).y + 4.0};
  if (row.at("mean |error|, %").is_null()) {
    svg.text({panel.area().x + 8.0, right.y}, "too few sizes for a line", "small faint");
    return;
  }
  const double mean = row.at("mean |error|, %").get<double>();
  const double p95 = row.at("p95, %").get<double>();
  const double max = row.at("max, %").get<double>();
  svg.begin(fmt::format("{}: mean {:.2f} %, 95th percentile {:.2f} %, largest {:.1f} %", name, mean,
                        p95, max));
  svg.line(panel.at(mean, at), panel.at(max, at), "faint thin");
  svg.mark(panel.at(mean, at), kMean.mark, kMean.look);
  svg.mark(panel.at(p95, at), kP95.mark, kP95.look);
  svg.mark(panel.at(max, at), kMax.mark, kMax.look);
  svg.end();
  const bool of_tables = row.contains("wrong winner, %");
  const Json& wrong = row.at(of_tables ? "wrong winner, %" : "wrong winner");
  svg.text(right, fmt::format("{:.1f}", percent_of(wrong)), "text", Anchor::end);
}

void draw_group(Svg& svg, Spot corner, double height, const Group& group, bool last) {
  const auto count = static_cast<double>(group.rows.size());
  const Axis y{.range = {0.0, count}, .ticks = {}, .title = ""};
  Axis x{.range = {0.1, 100.0},
         .logarithmic = true,
         .ticks = {},
         .title = last ? "error of T_N, %" : ""};
  for (const char* tick : {"0.1", "0.3", "1", "3", "10", "30", "100"}) {
    x.ticks.emplace_back(std::stod(tick), tick);
  }
  const Panel panel(svg, {corner.x + kNames, corner.y, kWidth, height}, x, y);
  panel.axes(group.title);
  svg.text({corner.x + kNames + kWidth + 44.0, corner.y - 8.0}, "wrong, %", "small faint",
           Anchor::end);
  for (std::size_t r = 0; r < group.rows.size(); ++r) {
    draw_row(svg, panel, count - static_cast<double>(r) - 0.5, *group.rows[r]);
  }
}

}  // namespace

std::string error_picture(const Json& document) {
  const std::vector<Group> groups = groups_of(document);
  std::size_t most = 0;
  for (const Group& group : groups) most = std::max(most, group.rows.size());
  const double height = kRow * static_cast<double>(most);
  const std::size_t lines = (groups.size() + 1) / 2;
  const double line_height = height + kBelow;
  Svg svg = begin_picture(
      document, {960.0, kTop + line_height * static_cast<double>(lines) + 20.0},
      "How far predictions of T_N are off, ours and simpler ones",
      "For simulated machines and for each pair of public tables a panel: the mean, the 95th "
      "percentile and the largest error of T_N by several ways to predict it.",
      groups.size() > 1 ? "simulated machines, and tables that others published"
                        : "simulated machines");
  const Spot after = legend(svg, {14.0, 52.0}, {kMean, kP95, kMax});
  svg.text(after, "wrong: how often the value alone names the wrong winner", "faint");
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t line = g / 2;
    const Spot corner{g % 2 == 0 ? 0.0 : kColumn, kTop + line_height * static_cast<double>(line)};
    draw_group(svg, corner, height, groups[g], g + 2 >= groups.size());
  }
  return svg.str();
}

}  // namespace splitbench::proof

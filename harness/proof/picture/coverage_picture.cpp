#include <fmt/format.h>

#include <algorithm>

#include "harness/proof/family.h"
#include "harness/proof/picture/pictures.h"

namespace splitbench::proof {
namespace {

constexpr Interval kRange{80.0, 100.0};  // percent
constexpr Interval kAsked{93.0, 97.0};
constexpr double kRow = 15.0;      // height of a family
constexpr double kBetween = 4.0;   // the marks of one family
constexpr double kWidth = 186.0;   // of a panel
constexpr double kLeft = 92.0;     // names of the families
constexpr double kTop = 86.0;      // of the first panel
constexpr double kColumn = 214.0;  // from panel to panel
constexpr std::size_t kColumns = 4;

const std::vector<std::string>& parameters() {
  static const std::vector<std::string> all{"S",
                                            "C",
                                            "eta",
                                            "predicted T_N",
                                            "l",
                                            "B",
                                            "T_N from l and B",
                                            "predicted speedup",
                                            "C*",
                                            "B_min",
                                            "eta_min",
                                            "measured speedup"};
  return all;
}

// In the order of the document.
std::vector<std::string> families_of(const Json& rows) {
  std::vector<std::string> names;
  for (const Json& row : rows) {
    const std::string name = row.at("noise").get<std::string>();
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

bool must_cover(const std::string& name) {
  const std::vector<Family> all = families();
  return std::any_of(all.begin(), all.end(), [&name](const Family& family) {
    return family.name == name && family.must_cover;
  });
}

// One parameter under one family of noise.
void draw_family(Svg& svg, const Panel& panel, double row_of_family, const Json& rows,
                 const std::string& family, const std::string& parameter) {
  std::vector<const Json*> of_family;
  std::string what = family + ":";
  for (const Json& row : rows) {
    if (row.at("noise").get<std::string>() != family) continue;
    of_family.push_back(&row);
    what += fmt::format(" {:.1f} % ({} sessions)", percent_of(row.at(parameter)),
                        row.at("sessions").get<int>());
  }
  svg.begin(what);
  std::string below;
  double at = -kBetween;
  for (const Json* row : of_family) {
    const double covered = percent_of(row->at(parameter));
    const Series& series = series_of_sessions(row->at("sessions").get<int>());
    Spot spot = panel.at(covered, row_of_family);
    spot.y += at;
    at += kBetween;
    const bool inside = covered >= kRange.low;
    svg.mark(spot, inside ? series.mark : Mark::left, series.look);
    if (!inside) below += fmt::format("{}{:.0f}", below.empty() ? "" : ", ", covered);
  }
  const Spot edge = panel.at(kRange.low, row_of_family);
  if (!below.empty()) svg.text({edge.x + 7.0, edge.y + 4.0}, below, "small");
  svg.end();
}

// Where a panel stands among the others.
struct Place {
  Box area;
  bool first_column;  // it names the families
  bool last_row;      // it names what is along x
};

void draw_parameter(Svg& svg, const Place& place, const Json& rows,
                    const std::vector<std::string>& families, const std::string& parameter) {
  const double count = static_cast<double>(families.size());
  Axis x{.range = kRange, .ticks = {}, .title = place.last_row ? "% of runs" : ""};
  for (int tick = 80; tick <= 100; tick += 5) {
    x.ticks.emplace_back(tick, place.last_row ? std::to_string(tick) : "");
  }
  Axis y{.range = {0.0, count}, .ticks = {}, .title = ""};
  const Panel panel(svg, place.area, x, y);
  panel.band_along_x(kAsked);
  panel.axes(parameter);
  for (std::size_t f = 0; f < families.size(); ++f) {
    const double row = count - static_cast<double>(f) - 0.5;
    if (place.first_column) {
      svg.text({place.area.x - 8.0, panel.at(0.0, row).y + 4.0}, families[f],
               must_cover(families[f]) ? "text" : "faint", Anchor::end);
    }
    draw_family(svg, panel, row, rows, families[f], parameter);
  }
  const auto asked = std::count_if(families.begin(), families.end(), must_cover);
  panel.line_at_y(count - static_cast<double>(asked), "faint thin dotted");
}

}  // namespace

std::string coverage_picture(const Json& document) {
  const Json& rows = *rows_of(document, "coverage");
  const std::vector<std::string> names = families_of(rows);
  const double height = kRow * static_cast<double>(names.size());
  const double panel_row = height + 34.0;
  const std::size_t lines = (parameters().size() + kColumns - 1) / kColumns;
  Svg svg = begin_picture(
      document,
      {kLeft + kColumn * kColumns + 6.0, kTop + panel_row * static_cast<double>(lines) + 46.0},
      "How often a 95 % interval holds the truth",
      "For each parameter a panel, in it a row for each family of noise: the share of runs whose "
      "95 % interval holds the truth, with 6, 10 and 20 sessions. Asked are 93 to 97 % where "
      "sessions differ symmetrically.",
      "simulated devices, whose truth is known");
  const Spot after = legend(
      svg, {14.0, 50.0}, {series_of_sessions(6), series_of_sessions(10), series_of_sessions(20)});
  svg.box({after.x, 41.0, 16.0, 11.0}, "band");
  svg.text({after.x + 22.0, 50.0},
           "93 to 97 %: asked above the dotted line; below it skewed effects and drift are shown",
           "faint");
  for (std::size_t p = 0; p < parameters().size(); ++p) {
    const std::size_t line = p / kColumns;
    const std::size_t column = p % kColumns;
    const Box area{kLeft + kColumn * static_cast<double>(column),
                   kTop + panel_row * static_cast<double>(line), kWidth, height};
    draw_parameter(svg, {area, column == 0, line + 1 == lines}, rows, names, parameters()[p]);
  }
  return svg.str();
}

}  // namespace splitbench::proof

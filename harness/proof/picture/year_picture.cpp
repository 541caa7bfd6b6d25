#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/proof/picture/pictures.h"

namespace splitbench::proof {
namespace {

constexpr double kTick = 0.05;  // of the speedup

Axis speedups(const Json& rows) {
  Interval range{1e9, -1e9};
  for (const Json& row : rows) {
    range.low = std::min(range.low, row.at("speedup").get<double>());
    range.high = std::max(range.high, row.at("speedup").get<double>());
  }
  const auto first = static_cast<int>(std::floor(range.low / kTick));
  const auto last = static_cast<int>(std::ceil(range.high / kTick));
  Axis axis{.range = {first * kTick, last * kTick}, .ticks = {}, .title = "speedup, T1 / T_N"};
  for (int tick = first; tick <= last; ++tick) {
    axis.ticks.emplace_back(tick * kTick, fmt::format("{:.2f}", tick * kTick));
  }
  return axis;
}

void draw_event(Svg& svg, const Panel& panel, int night, const std::string& event) {
  const bool regression = event == "regression";
  svg.begin(fmt::format("night {}: {}", night, event));
  panel.line_at_x(night, regression ? "b" : "faint dashed");
  svg.end();
}

void draw_alarm(Svg& svg, const Panel& panel, int night) {
  svg.begin(fmt::format("night {}: alarm", night));
  svg.mark({panel.at(night, 0.0).x, panel.area().y + 8.0}, Mark::down, "c");
  svg.end();
}

}  // namespace

std::string year_picture(const Json& document) {
  const Json& rows = *rows_of(document, "one year");
  Svg svg =
      begin_picture(document, {960.0, 360.0}, "A year of nights, watched by the gate",
                    "The speedup of 365 simulated nightly runs, with three regressions of 3 % "
                    "and two changes of the machine, and the nights in which the gate raises "
                    "an alarm.",
                    "a simulated year, the first of those counted");
  const double last = static_cast<double>(rows.size());
  Axis x{.range = {0.0, last}, .ticks = {}, .title = "night"};
  for (int tick = 0; tick <= static_cast<int>(last); tick += 30) {
    x.ticks.emplace_back(tick, std::to_string(tick));
  }
  const Panel panel(svg, {46.0, 90.0, 900.0, 200.0}, x, speedups(rows));
  panel.axes("one dot is one run");
  for (const Json& row : rows) {
    const int night = row.at("night").get<int>();
    if (!row.at("event").is_null()) {
      draw_event(svg, panel, night, row.at("event").get<std::string>());
    }
    if (!row.at("alarm").is_null()) draw_alarm(svg, panel, night);
  }
  svg.begin("speedup of each night");
  for (const Json& row : rows) {
    svg.dot(panel.at(row.at("night").get<double>(), row.at("speedup").get<double>()), "a");
  }
  svg.end();
  svg.line({18.0, 42.0}, {18.0, 56.0}, "b");
  svg.text({26.0, 53.0}, "the split regresses by 3 %", "text");
  svg.line({216.0, 42.0}, {216.0, 56.0}, "faint dashed");
  svg.text({226.0, 53.0}, "another machine: the gate learns anew", "text");
  svg.mark({492.0, 49.0}, Mark::down, "c");
  svg.text({503.0, 53.0}, "alarm: somebody accepts that run as the new baseline", "text");
  return svg.str();
}

}  // namespace splitbench::proof

#include <fmt/format.h>

#include "harness/proof/picture/pictures.h"

namespace splitbench::proof {
namespace {

// Verdicts of one kind by what is true, for each number of sessions: one panel.
struct Curves {
  const char* study;
  const char* title;
  const char* effect;   // the column along x, a fraction
  const char* falling;  // the verdict that is right at 0
  const char* rising;   // the one that is right far from it
  double limit;         // percent, where neither is
  std::string x_title;
  double x_last;  // percent
};

const Series kEarly{"stopping early", "d", Mark::down};

Series series_of(const Json& sessions) {
  return sessions.is_number() ? series_of_sessions(sessions.get<int>()) : kEarly;
}

// Of one number of sessions and one verdict, with the 95 % interval of each share.
void draw_curve(Svg& svg, const Panel& panel, const Json& rows, const Curves& curves,
                const Series& series, const char* verdict, bool dashed) {
  std::vector<Spot> spots;
  svg.begin(fmt::format("{}, {}", verdict, series.name));
  for (const Json& row : rows) {
    if (series_of(row.at("sessions")).name != series.name) continue;
    const double effect = 100.0 * row.at(curves.effect).get<double>();
    const Json& cell = row.at(verdict);
    spots.push_back(panel.at(effect, percent_of(cell)));
    const Json& interval = cell.at("interval");
    svg.line(panel.at(effect, 100.0 * interval[0].get<double>()),
             panel.at(effect, 100.0 * interval[1].get<double>()),
             fmt::format("{} thin", series.look).c_str());
    svg.mark(spots.back(), series.mark, series.look);
  }
  svg.path(spots, fmt::format("{}{}", series.look, dashed ? " dashed" : "").c_str());
  svg.end();
}

void draw_curves(Svg& svg, const Json& document, const Box& area, const Curves& curves,
                 const std::vector<Series>& all) {
  Axis x{.range = {0.0, curves.x_last}, .ticks = {}, .title = curves.x_title};
  Axis y{.range = {0.0, 100.0}, .ticks = {}, .title = "share of runs, %"};
  const int step = curves.x_last > 8.0 ? 2 : 1;
  for (int tick = 0; tick <= static_cast<int>(curves.x_last); tick += step) {
    x.ticks.emplace_back(tick, std::to_string(tick));
  }
  for (int tick = 0; tick <= 100; tick += 20) y.ticks.emplace_back(tick, std::to_string(tick));
  const Panel panel(svg, area, x, y);
  panel.axes(curves.title);
  panel.line_at_x(curves.limit, "faint dotted");
  const Json& rows = *rows_of(document, curves.study);
  for (const Series& series : all) {
    draw_curve(svg, panel, rows, curves, series, curves.rising, false);
    draw_curve(svg, panel, rows, curves, series, curves.falling, true);
  }
}

}  // namespace

std::string power_picture(const Json& document) {
  std::vector<Series> all{series_of_sessions(6), series_of_sessions(10), series_of_sessions(20)};
  Svg svg = begin_picture(
      document, {960.0, 420.0}, "What a verdict can tell, by how large the effect is",
      "Left the share of runs whose verdict on the model is HOLDS or FAILS by how far T_N truly is "
      "from its prediction; right the share FASTER or TIE by what the split truly gains.",
      "simulated devices; vertical strokes are 95 % intervals");
  const Curves model{.study = "power on the model",
                     .title = "on the model",
                     .effect = "ln(T_N/predicted)",
                     .falling = "HOLDS",
                     .rising = "FAILS",
                     .limit = 3.0,
                     .x_title = "true difference of T_N from its prediction, % (dotted: delta)",
                     .x_last = 6.0};
  const Curves split{.study = "power on the split",
                     .title = "on the split",
                     .effect = "ln(T1/T_N)",
                     .falling = "TIE",
                     .rising = "FASTER",
                     .limit = 1.0,
                     .x_title = "true gain of the split, % (dotted: least effect)",
                     .x_last = 10.0};
  constexpr double kTop = 96.0;
  constexpr double kHeight = 250.0;
  std::vector<Series> with_early = all;
  with_early.push_back(kEarly);
  const Spot after = legend(svg, {14.0, 52.0}, with_early);
  svg.line({after.x, 48.0}, {after.x + 24.0, 48.0}, "ink");
  svg.text({after.x + 30.0, 52.0}, "FAILS, FASTER", "text");
  svg.line({after.x + 132.0, 48.0}, {after.x + 156.0, 48.0}, "ink dashed");
  svg.text({after.x + 162.0, 52.0}, "HOLDS, TIE; the rest is INCONCLUSIVE", "text");
  draw_curves(svg, document, {46.0, kTop, 420.0, kHeight}, model, with_early);
  if (rows_of(document, split.study) != nullptr) {
    draw_curves(svg, document, {522.0, kTop, 420.0, kHeight}, split, all);
  }
  return svg.str();
}

}  // namespace splitbench::proof

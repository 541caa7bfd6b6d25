#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "harness/proof/picture/pictures.h"

namespace splitbench::proof {
namespace {

constexpr double kLeft = 56.0;
constexpr double kWidth = 690.0;

struct Size {
  double bytes;
  double measured;  // us, like all times here
  double truth;
  std::optional<double> line;  // where there is one
  std::optional<double> one_line;
};

std::optional<double> number(const Json& cell) {
  if (!cell.is_number()) return std::nullopt;
  return cell.get<double>();
}

Size size_of(const Json& row) {
  return {row.at("V, bytes").get<double>(), row.at("measured, us").get<double>(),
          row.at("true, us").get<double>(), number(row.at("line, us")),
          number(row.at("one line, us"))};
}

struct Drawing {
  std::map<int, std::vector<Size>> segments;  // by their numbers
  std::vector<Size> all;                      // of the sweep, by size
  const Json* own = nullptr;                  // the row of V
};

Drawing drawing_of(const Json& rows) {
  Drawing drawing;
  for (const Json& row : rows) {
    if (row.at("role").get<std::string>() != "sweep") {
      drawing.own = &row;
      continue;
    }
    drawing.all.push_back(size_of(row));
    drawing.segments[row.at("segment").get<int>()].push_back(drawing.all.back());
  }
  return drawing;
}

const Series& series_of_segment(int number) {
  static const std::array<Series, 3> all{
      Series{"", "a", Mark::circle}, Series{"", "d", Mark::square}, Series{"", "c", Mark::diamond}};
  return all[static_cast<std::size_t>(number - 1) % all.size()];
}

Axis sizes(bool named) {
  Axis axis{.range = {3000.0, 90e6},
            .logarithmic = true,
            .ticks = {},
            .title = named ? "V, bytes on the wire" : ""};
  const std::array<const char*, 8> names{"4 KiB", "16 KiB", "64 KiB", "256 KiB",
                                         "1 MiB", "4 MiB",  "16 MiB", "64 MiB"};
  double bytes = 4096.0;
  for (const char* name : names) {
    axis.ticks.emplace_back(bytes, named ? name : "");
    bytes *= 4.0;
  }
  return axis;
}

Axis axis(Interval range, bool logarithmic, const std::vector<int>& ticks,
          const std::string& title) {
  Axis axis{.range = range, .logarithmic = logarithmic, .ticks = {}, .title = title};
  for (const int tick : ticks) axis.ticks.emplace_back(tick, std::to_string(tick));
  return axis;
}

// Somewhere between two segments the collective's line changes.
void draw_breaks(const Panel& panel, const Drawing& drawing) {
  double end = 0.0;
  for (const auto& [number, sizes] : drawing.segments) {
    if (end > 0.0) panel.band_along_x({end, sizes.front().bytes});
    end = sizes.back().bytes;
  }
}

void draw_times(Svg& svg, const Panel& panel, const Drawing& drawing) {
  std::vector<Spot> one_line;
  for (const Size& size : drawing.all) {
    if (size.one_line) one_line.push_back(panel.at(size.bytes, *size.one_line));
  }
  svg.path(one_line, "b dashed");
  for (const auto& [number, sizes] : drawing.segments) {
    const Series& series = series_of_segment(number);
    std::vector<Spot> line;
    svg.begin(fmt::format("segment {}", number));
    for (const Size& size : sizes) {
      if (size.line) line.push_back(panel.at(size.bytes, *size.line));
      svg.mark(panel.at(size.bytes, size.measured), series.mark, series.look);
    }
    svg.path(line, series.look);
    svg.end();
  }
}

// What is measured, and the line of each segment, against the truth.
void draw_errors(Svg& svg, const Panel& panel, const Drawing& drawing) {
  const auto error = [](double time, const Size& size) {
    return 100.0 * (time / size.truth - 1.0);
  };
  for (const auto& [number, sizes] : drawing.segments) {
    const Series& series = series_of_segment(number);
    std::vector<Spot> line;
    for (const Size& size : sizes) {
      if (size.line) line.push_back(panel.at(size.bytes, error(*size.line, size)));
      svg.mark(panel.at(size.bytes, error(size.measured, size)), series.mark, series.look);
    }
    svg.path(line, series.look);
  }
}

void draw_own(Svg& svg, const Panel& times, const Panel& errors, const Json& own) {
  const double bytes = own.at("V, bytes").get<double>();
  const double truth = own.at("true, us").get<double>();
  const Json& line = own.at("line, us");
  times.line_at_x(bytes, "faint dotted");
  errors.line_at_x(bytes, "faint dotted");
  if (line.is_null()) return;
  const double value = line.at("value").get<double>();
  const double low = line.at("interval")[0].get<double>();
  const double high = line.at("interval")[1].get<double>();
  const auto error = [truth](double time) { return 100.0 * (time / truth - 1.0); };
  svg.begin(fmt::format("V: by the line {:.2f} us [{:.2f}, {:.2f}], true {:.2f} us", value, low,
                        high, truth));
  svg.mark(times.at(bytes, value), Mark::cross, "ink");
  svg.line(errors.at(bytes, error(low)), errors.at(bytes, error(high)), "ink");
  svg.mark(errors.at(bytes, error(value)), Mark::cross, "ink");
  svg.end();
}

double largest_error_of_one_line(const Drawing& drawing) {
  double largest = 0.0;
  for (const Size& size : drawing.all) {
    if (size.one_line) largest = std::max(largest, std::abs(*size.one_line / size.truth - 1.0));
  }
  return 100.0 * largest;
}

}  // namespace

std::string size_picture(const Json& document) {
  const Drawing drawing = drawing_of(*rows_of(document, "a collective over sizes"));
  Svg svg = begin_picture(
      document, {770.0, 620.0}, "One all-reduce over its sizes: segments, breaks, and V left out",
      "Above the time of an all-reduce over the size of its message, with the segments that are "
      "found and the line of each; below how far the lines are off. The line around V has not seen "
      "V.",
      "one simulated run of 6 sessions");
  const Panel times(svg, {kLeft, 110.0, kWidth, 250.0}, sizes(false),
                    axis({4.0, 400.0}, true, {5, 10, 20, 50, 100, 200}, "us"));
  const Panel errors(svg, {kLeft, 404.0, kWidth, 140.0}, sizes(true),
                     axis({-6.0, 6.0}, false, {-6, -4, -2, 0, 2, 4, 6}, "%"));
  for (const Panel* panel : {&times, &errors}) draw_breaks(*panel, drawing);
  times.axes("time of one all-reduce");
  errors.axes("error: times and lines against the truth");
  errors.line_at_y(0.0, "faint thin");
  draw_times(svg, times, drawing);
  draw_errors(svg, errors, drawing);
  if (drawing.own != nullptr) draw_own(svg, times, errors, *drawing.own);

  svg.text({14.0, 50.0}, "Marks: measured. Lines: l + V/B of each segment.", "text");
  svg.box({340.0, 40.0, 16.0, 12.0}, "band");
  svg.text({362.0, 50.0}, "a break lies in here", "text");
  svg.mark({344.0, 68.0}, Mark::cross, "ink");
  svg.text({362.0, 72.0}, "predicted for V (dotted), 95 % interval below", "text");
  svg.line({14.0, 68.0}, {40.0, 68.0}, "b dashed");
  svg.text({46.0, 72.0},
           fmt::format("one line for all sizes, off by up to {:.0f} %",
                       largest_error_of_one_line(drawing)),
           "text");
  return svg.str();
}

}  // namespace splitbench::proof

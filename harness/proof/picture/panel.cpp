#include "harness/proof/picture/panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace splitbench::proof {
namespace {

// 0 at the low end of an axis, 1 at the high one.
double share_of(const Axis& axis, double value) {
  const auto scaled = [&axis](double v) { return axis.logarithmic ? std::log(v) : v; };
  const double inside = std::clamp(value, axis.range.low, axis.range.high);
  return (scaled(inside) - scaled(axis.range.low)) /
         (scaled(axis.range.high) - scaled(axis.range.low));
}

std::string scale_of(const Axis& axis) {
  return fmt::format("{} {} {}", axis.range.low, axis.range.high,
                     axis.logarithmic ? "logarithmic" : "linear");
}

}  // namespace

Panel::Panel(Svg& svg, const Box& area, Axis x, Axis y)
    : svg_(svg), area_(area), x_(std::move(x)), y_(std::move(y)) {}

Spot Panel::at(double x, double y) const {
  return {area_.x + share_of(x_, x) * area_.width,
          area_.y + (1.0 - share_of(y_, y)) * area_.height};
}

void Panel::axes(const std::string& title) const {
  svg_.begin(title);
  svg_.note("data-x", scale_of(x_));
  svg_.note("data-y", scale_of(y_));
  x_ticks();
  y_ticks();
  svg_.box(area_, "frame faint thin");
  svg_.text({area_.x, area_.y - 8.0}, title, "head");
  svg_.end();
}

void Panel::x_ticks() const {
  const double below = area_.y + area_.height;
  for (const auto& [value, name] : x_.ticks) {
    line_at_x(value, "grid thin");
    if (name.empty()) continue;
    svg_.text({at(value, y_.range.low).x, below + 14.0}, name, "small faint", Anchor::middle);
  }
  if (x_.title.empty()) return;
  svg_.text({area_.x + area_.width / 2.0, below + 30.0}, x_.title, "faint", Anchor::middle);
}

void Panel::y_ticks() const {
  for (const auto& [value, name] : y_.ticks) {
    line_at_y(value, "grid thin");
    svg_.text({area_.x - 6.0, at(x_.range.low, value).y + 4.0}, name, "small faint", Anchor::end);
  }
  if (y_.title.empty()) return;
  // Above, so that it need not be read sideways.
  svg_.text({area_.x + area_.width, area_.y - 8.0}, y_.title, "faint", Anchor::end);
}

void Panel::band_along_x(Interval x) const {
  const double from = at(x.low, y_.range.low).x;
  svg_.box({from, area_.y, at(x.high, y_.range.low).x - from, area_.height}, "band");
}

void Panel::line_at_x(double x, const char* look) const {
  const double at_x = at(x, y_.range.low).x;
  svg_.line({at_x, area_.y}, {at_x, area_.y + area_.height}, look);
}

void Panel::line_at_y(double y, const char* look) const {
  const double at_y = at(x_.range.low, y).y;
  svg_.line({area_.x, at_y}, {area_.x + area_.width, at_y}, look);
}

}  // namespace splitbench::proof

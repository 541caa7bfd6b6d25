// A pair of axes in a drawing. Along x from the left, along y from below.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/proof/picture/svg.h"
#include "model/statistics.h"

namespace splitbench::proof {

struct Axis {
  Interval range;
  bool logarithmic = false;
  std::vector<std::pair<double, std::string>> ticks;  // without a name: a line alone
  std::string title;                                  // with its unit; empty: none
};

class Panel {
 public:
  // `area` is that between the axes; ticks and titles are outside of it.
  Panel(Svg& svg, const Box& area, Axis x, Axis y);

  // Where it is drawn. What lies outside of an axis is put to its end.
  Spot at(double x, double y) const;
  const Box& area() const { return area_; }

  void axes(const std::string& title) const;
  // What lies between two values, under all that is drawn later.
  void band_along_x(Interval x) const;
  void line_at_x(double x, const char* look) const;
  void line_at_y(double y, const char* look) const;

 private:
  void x_ticks() const;
  void y_ticks() const;

  Svg& svg_;
  Box area_;
  Axis x_;
  Axis y_;
};

}  // namespace splitbench::proof

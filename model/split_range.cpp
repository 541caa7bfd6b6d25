#include "model/split_range.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

struct Parameter {
  std::string_view name;
  Interval SplitRanges::*range;
};
constexpr std::array kParameters{Parameter{"serial", &SplitRanges::serial},
                                 Parameter{"compute", &SplitRanges::compute},
                                 Parameter{"efficiency", &SplitRanges::efficiency},
                                 Parameter{"collective", &SplitRanges::collective}};

void check(const SplitRanges& ranges) {
  for (const Parameter& parameter : kParameters) {
    const Interval range = ranges.*parameter.range;
    const bool may_be_zero = parameter.name == "serial";
    const bool positive = may_be_zero ? range.low >= 0.0 : range.low > 0.0;
    if (!positive || !(range.low <= range.high) || std::isinf(range.high)) {
      throw InvalidInput(std::string(parameter.name),
                         "expected a range of finite numbers above 0, the lower end first");
    }
  }
  if (ranges.ranks < 1) throw InvalidInput("ranks", "expected at least 1");
}

struct Corner {
  double serial;
  double compute;
  double efficiency;
  double collective;
};

double split_time(const Corner& corner, const SplitRanges& ranges) {
  return corner.serial + corner.compute / (ranges.ranks * corner.efficiency) +
         static_cast<double>(ranges.collectives) * corner.collective;
}

std::array<double, 2> ends(Interval range) {
  return {range.low, range.high};
}

double middle(Interval range) {
  return range.low > 0.0 ? std::sqrt(range.low * range.high) : range.high / 2.0;
}

double width(Interval range) {
  return std::log(range.high / range.low);
}

}  // namespace

SplitTimeRanges split_time_ranges(const SplitRanges& ranges) {
  check(ranges);
  SplitTimeRanges times{.one_device = {ranges.serial.low + ranges.compute.low,
                                       ranges.serial.high + ranges.compute.high},
                        .split = {split_time({ranges.serial.low, ranges.compute.low,
                                              ranges.efficiency.high, ranges.collective.low},
                                             ranges),
                                  split_time({ranges.serial.high, ranges.compute.high,
                                              ranges.efficiency.low, ranges.collective.high},
                                             ranges)},
                        .speedup = {HUGE_VAL, 0.0}};
  // T1 and T_N share S and C: their ratio is not the ratio of their ends.
  for (const double serial : ends(ranges.serial)) {
    for (const double compute : ends(ranges.compute)) {
      const double slow =
          split_time({serial, compute, ranges.efficiency.low, ranges.collective.high}, ranges);
      const double fast =
          split_time({serial, compute, ranges.efficiency.high, ranges.collective.low}, ranges);
      times.speedup.low = std::min(times.speedup.low, (serial + compute) / slow);
      times.speedup.high = std::max(times.speedup.high, (serial + compute) / fast);
    }
  }
  return times;
}

std::vector<Narrowing> narrowings(const SplitRanges& ranges) {
  const double all = width(split_time_ranges(ranges).speedup);
  std::vector<Narrowing> found;
  for (const Parameter& parameter : kParameters) {
    SplitRanges known = ranges;
    const double value = middle(ranges.*parameter.range);
    known.*parameter.range = {value, value};
    const Interval speedup = split_time_ranges(known).speedup;
    const double narrower = all > 0.0 ? 1.0 - width(speedup) / all : 0.0;
    found.push_back({.parameter = parameter.name, .speedup = speedup, .narrower = narrower});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Narrowing& a, const Narrowing& b) { return a.narrower > b.narrower; });
  return found;
}

}  // namespace splitbench

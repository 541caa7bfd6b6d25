#include "model/table_curve.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "model/distributions.h"
#include "model/invalid_input.h"

namespace splitbench {
namespace {

using Entries = std::span<const TableEntry>;

constexpr double kSame = 0.02;
constexpr std::size_t kMostAveraged = 5;
constexpr double kNear = 1.1;      // sizes that are averaged
constexpr double kSwitch = 1.25;   // line from above over line from below
constexpr double kFarApart = 1.5;  // neighbours between which a switch can hide
constexpr std::size_t kMostErrors = 8;
constexpr std::size_t kFewestErrors = 3;
constexpr double kConfidence = 0.95;

// The geometric mean of `entries`.
TableEntry centre(Entries entries) {
  double size = 0.0;
  double time = 0.0;
  for (const TableEntry& entry : entries) {
    size += std::log(entry.size);
    time += std::log(entry.time.value());
  }
  const auto n = static_cast<double>(entries.size());
  return {.size = std::exp(size / n), .time = Seconds(std::exp(time / n))};
}

// How many at the end of `below`, and at the beginning of `above`, are near its outermost one.
std::size_t near_last(Entries below) {
  const auto is_near = [&](const TableEntry& e) { return below.back().size / e.size <= kNear; };
  const auto far = std::find_if_not(below.rbegin(), below.rend(), is_near);
  return std::min(kMostAveraged, static_cast<std::size_t>(far - below.rbegin()));
}
std::size_t near_first(Entries above) {
  const auto is_near = [&](const TableEntry& e) { return e.size / above.front().size <= kNear; };
  const auto far = std::find_if_not(above.begin(), above.end(), is_near);
  return std::min(kMostAveraged, static_cast<std::size_t>(far - above.begin()));
}

double on_line(const TableEntry& a, const TableEntry& b, double size) {
  const double slope = (b.time - a.time).value() / (b.size - a.size);
  return a.time.value() + slope * (size - a.size);
}

struct Reading {
  double time;    // s
  Interval span;  // of the lines
};

// None where `size` is not between two entries. `size` is not one itself.
std::optional<Reading> read_between(Entries entries, double size) {
  const auto larger = std::partition_point(entries.begin(), entries.end(),
                                           [size](const TableEntry& e) { return e.size <= size; });
  const auto at = static_cast<std::size_t>(larger - entries.begin());
  if (at == 0 || at == entries.size()) return std::nullopt;
  const Entries below = entries.first(at);
  const Entries above = entries.subspan(at);
  const std::size_t count = std::min(near_last(below), near_first(above));
  const TableEntry low = centre(below.last(count));
  const TableEntry high = centre(above.first(count));
  const auto [least, most] = std::minmax({low.time.value(), high.time.value()});
  const auto inside = [least = least, most = most](double t) { return std::clamp(t, least, most); };

  const double through = on_line(low, high, size);
  const Entries lower = below.first(below.size() - count);
  const Entries higher = above.subspan(count);
  std::vector<double> lines{through};
  if (!lower.empty()) {
    lines.push_back(inside(on_line(centre(lower.last(near_last(lower))), low, size)));
  }
  if (!higher.empty()) {
    lines.push_back(inside(on_line(high, centre(higher.first(near_first(higher))), size)));
  }
  const auto [first, last] = std::minmax_element(lines.begin(), lines.end());
  const Interval span{*first, *last};
  if (lines.size() < 3) return Reading{.time = through, .span = span};
  const bool switched = lines[2] > kSwitch * lines[1] && high.size > kFarApart * low.size;
  return Reading{.time = switched ? lines[1] : median(lines), .span = span};
}

std::vector<TableEntry> left_without(Entries entries, double size) {
  std::vector<TableEntry> kept;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(kept),
               [size](const TableEntry& entry) { return !same_size(entry.size, size); });
  return kept;
}

// Of the entries nearest to `size`: the logarithm of the time read without an entry over its own.
std::vector<double> errors_near(Entries entries, double size) {
  std::vector<TableEntry> nearest(entries.begin(), entries.end());
  std::stable_sort(nearest.begin(), nearest.end(), [size](const auto& a, const auto& b) {
    return std::abs(std::log(a.size / size)) < std::abs(std::log(b.size / size));
  });
  std::vector<double> errors;
  for (const TableEntry& entry : nearest) {
    if (errors.size() == kMostErrors) break;
    const std::vector<TableEntry> others = left_without(entries, entry.size);
    if (const auto reading = read_between(others, entry.size)) {
      errors.push_back(std::log(reading->time / entry.time.value()));
    }
  }
  return errors;
}

void add_error(TableTime& read, const Reading& reading, const std::vector<double>& errors) {
  if (errors.size() < kFewestErrors) {
    const std::string reason =
        "the table has too few entries to say how far off it is between them";
    read.interval = Answer<Interval>::none(reason);
    read.error = Answer<double>::none(reason);
    return;
  }
  const auto n = static_cast<int>(errors.size());
  const double rms = root_mean_square(errors, kConfidence).value;
  const double wider = std::exp(student_quantile(0.5 + kConfidence / 2.0, n) * rms);
  read.interval = Interval{reading.span.low / wider, reading.span.high * wider};
  read.error = rms;
}

}  // namespace

bool same_size(double a, double b) {
  return std::abs(a / b - 1.0) <= kSame;
}

TableCurve::TableCurve(std::vector<TableEntry> entries) {
  for (const TableEntry& entry : entries) {
    if (!(entry.size > 0.0) || std::isinf(entry.size)) {
      throw InvalidInput("size", "expected a finite size above 0");
    }
    if (!(entry.time.value() > 0.0) || std::isinf(entry.time.value())) {
      throw InvalidInput("time", "expected a finite time above 0");
    }
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.size < b.size; });
  for (auto first = entries.begin(); first != entries.end();) {
    const auto next = std::find_if(first, entries.end(),
                                   [first](const auto& e) { return e.size != first->size; });
    std::vector<double> times;
    std::transform(first, next, std::back_inserter(times),
                   [](const auto& entry) { return entry.time.value(); });
    entries_.push_back({.size = first->size, .time = Seconds(median(std::move(times)))});
    first = next;
  }
}

bool TableCurve::has(double size) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [size](const TableEntry& entry) { return entry.size == size; });
}

Answer<TableTime> TableCurve::at(double size) const {
  const auto own = std::find_if(entries_.begin(), entries_.end(),
                                [size](const TableEntry& entry) { return entry.size == size; });
  if (own != entries_.end()) {
    const std::string reason = "the table gives one time here and does not say how it scatters";
    return TableTime{.time = own->time,
                     .interpolated = false,
                     .interval = Answer<Interval>::none(reason),
                     .error = Answer<double>::none(reason)};
  }
  const auto reading = read_between(entries_, size);
  if (!reading) return Answer<TableTime>::none("outside of the table");
  TableTime read{.time = Seconds(reading->time), .interpolated = true};
  add_error(read, *reading, errors_near(entries_, size));
  return read;
}

TableCurve TableCurve::without(double size) const {
  return TableCurve(left_without(entries_, size));
}

}  // namespace splitbench

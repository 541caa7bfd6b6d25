#include "model/collective_fit.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "model/distributions.h"
#include "model/quantity_text.h"

namespace splitbench {
namespace {

constexpr std::size_t kFewestSizes = 3;
constexpr double kAround = 2.01;          // a factor of 2, and the rounding to whole elements
constexpr double kSameSize = 1.0 + 1e-9;  // likewise "itself"

std::size_t distinct_sizes(std::span<const SizeTime> points) {
  std::vector<double> sizes;
  for (const SizeTime& point : points) sizes.push_back(point.wire.value());
  std::sort(sizes.begin(), sizes.end());
  return static_cast<std::size_t>(std::unique(sizes.begin(), sizes.end()) - sizes.begin());
}

// Weighted least squares about the weighted means, which keeps the digits.
struct StraightLine {
  double intercept;
  double slope;
  double weights;    // their sum
  double mean_size;  // weighted
  double size_size;  // weighted squares of sizes about it

  double at(double size) const { return intercept + slope * size; }
};

StraightLine least_squares(std::span<const SizeTime> points) {
  StraightLine line{};
  double mean_time = 0.0;
  const auto weight = [](const SizeTime& p) { return 1.0 / (p.time.value() * p.time.value()); };
  for (const SizeTime& p : points) {
    line.weights += weight(p);
    line.mean_size += weight(p) * p.wire.value();
    mean_time += weight(p) * p.time.value();
  }
  line.mean_size /= line.weights;
  mean_time /= line.weights;
  double size_time = 0.0;
  for (const SizeTime& p : points) {
    const double size = p.wire.value() - line.mean_size;
    line.size_size += weight(p) * size * size;
    size_time += weight(p) * size * (p.time.value() - mean_time);
  }
  line.slope = size_time / line.size_size;
  line.intercept = mean_time - line.slope * line.mean_size;
  return line;
}

// (fitted - measured) / measured, of every point.
std::vector<double> relative_errors(const StraightLine& line, std::span<const SizeTime> points) {
  std::vector<double> errors;
  errors.reserve(points.size());
  for (const SizeTime& p : points) {
    errors.push_back(line.at(p.wire.value()) / p.time.value() - 1.0);
  }
  return errors;
}

CollectiveLine described(const StraightLine& line, std::span<const SizeTime> points) {
  const auto by_size = [](const SizeTime& a, const SizeTime& b) { return a.wire < b.wire; };
  const auto [smallest, largest] = std::minmax_element(points.begin(), points.end(), by_size);
  double squares = 0.0;
  double worst = 0.0;
  for (const double error : relative_errors(line, points)) {
    squares += error * error;
    worst = std::max(worst, std::abs(error));
  }
  const double variance = squares / static_cast<double>(points.size() - 2);
  const double slope_variance = variance / line.size_size;
  return {.latency = Seconds(line.intercept),
          .bandwidth = BytesPerSecond(1.0 / line.slope),
          .smallest = smallest->wire,
          .largest = largest->wire,
          .points = points.size(),
          .max_relative_error = worst,
          .relative_sd = std::sqrt(variance),
          .latency_variance =
              variance / line.weights + line.mean_size * line.mean_size * slope_variance,
          .slope_variance = slope_variance,
          .latency_slope_covar = -line.mean_size * slope_variance};
}

bool is_size(Bytes wire, const SizeTime& point) {
  return std::max(point.wire / wire, wire / point.wire) <= kSameSize;
}

}  // namespace

Answer<Seconds> CollectiveLine::at(Bytes wire) const {
  if (wire < smallest || wire > largest) {
    return Answer<Seconds>::none(to_text(wire) +
                                 " is outside of the sizes the line was made from, " +
                                 to_text(smallest) + " to " + to_text(largest));
  }
  return latency + wire / bandwidth;
}

Answer<Interval> CollectiveLine::interval_at(Bytes wire, double confidence, double further) const {
  const Answer<Seconds> fitted = at(wire);
  if (!fitted) return Answer<Interval>::none(fitted.reason());
  const double time = fitted->value();
  const double size = wire.value();
  const double of_line =
      latency_variance + 2.0 * size * latency_slope_covar + size * size * slope_variance;
  const double of_time = std::hypot(relative_sd, further) * time;
  const double t = student_quantile(0.5 + confidence / 2.0, static_cast<int>(points) - 2);
  const double half = t * std::sqrt(std::max(of_line, 0.0) + of_time * of_time);
  return Interval{time - half, time + half};
}

Answer<CollectiveLine> fit_line(std::span<const SizeTime> points) {
  using None = Answer<CollectiveLine>;
  const std::size_t sizes = distinct_sizes(points);
  if (sizes < kFewestSizes) {
    return None::none("a line needs at least 3 distinct sizes, there are " + std::to_string(sizes));
  }
  const auto no_time = [](const SizeTime& p) { return !(p.time.value() > 0.0); };
  if (std::any_of(points.begin(), points.end(), no_time)) {
    return None::none("a time of the sweep is not above the fixed cost of the stamps");
  }
  const StraightLine line = least_squares(points);
  if (!(line.slope > 0.0)) {
    return None::none("the collective does not take longer at larger sizes here: no bandwidth");
  }
  return described(line, points);
}

std::vector<SizeTime> without_size(Bytes wire, std::span<const SizeTime> points) {
  std::vector<SizeTime> kept;
  std::copy_if(points.begin(), points.end(), std::back_inserter(kept),
               [wire](const SizeTime& point) { return !is_size(wire, point); });
  return kept;
}

std::vector<SizeTime> points_around(Bytes wire, std::span<const SizeTime> points) {
  std::vector<SizeTime> kept;
  std::copy_if(points.begin(), points.end(), std::back_inserter(kept),
               [wire](const SizeTime& point) {
                 return std::max(point.wire / wire, wire / point.wire) <= kAround;
               });
  return kept;
}

}  // namespace splitbench

#include "model/collective_fit.h"

#include <algorithm>
#include <cmath>
#include <string>

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
};

StraightLine least_squares(std::span<const SizeTime> points) {
  double weights = 0.0;
  double mean_size = 0.0;
  double mean_time = 0.0;
  const auto weight = [](const SizeTime& p) { return 1.0 / (p.time.value() * p.time.value()); };
  for (const SizeTime& p : points) {
    weights += weight(p);
    mean_size += weight(p) * p.wire.value();
    mean_time += weight(p) * p.time.value();
  }
  mean_size /= weights;
  mean_time /= weights;
  double size_size = 0.0;
  double size_time = 0.0;
  for (const SizeTime& p : points) {
    const double size = p.wire.value() - mean_size;
    size_size += weight(p) * size * size;
    size_time += weight(p) * size * (p.time.value() - mean_time);
  }
  const double slope = size_time / size_size;
  return {.intercept = mean_time - slope * mean_size, .slope = slope};
}

double max_relative_error(const StraightLine& line, std::span<const SizeTime> points) {
  double worst = 0.0;
  for (const SizeTime& p : points) {
    const double fitted = line.intercept + line.slope * p.wire.value();
    worst = std::max(worst, std::abs(fitted - p.time.value()) / p.time.value());
  }
  return worst;
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
  const auto by_size = [](const SizeTime& a, const SizeTime& b) { return a.wire < b.wire; };
  const auto [smallest, largest] = std::minmax_element(points.begin(), points.end(), by_size);
  return CollectiveLine{.latency = Seconds(line.intercept),
                        .bandwidth = BytesPerSecond(1.0 / line.slope),
                        .smallest = smallest->wire,
                        .largest = largest->wire,
                        .points = points.size(),
                        .max_relative_error = max_relative_error(line, points)};
}

std::vector<SizeTime> points_around(Bytes wire, std::span<const SizeTime> points) {
  std::vector<SizeTime> kept;
  for (const SizeTime& point : points) {
    const double ratio = std::max(point.wire / wire, wire / point.wire);
    if (ratio > kSameSize && ratio <= kAround) kept.push_back(point);
  }
  return kept;
}

}  // namespace splitbench

#include "model/collective_curve.h"

#include <algorithm>
#include <cmath>

#include "model/distributions.h"
#include "model/invalid_input.h"
#include "model/quantity_text.h"

namespace splitbench {
namespace {

constexpr double kConfidence = 0.95;
constexpr std::size_t kFewestSizes = 3;
constexpr std::size_t kFewestForInterval = 4;

double worst_error(const CurvePiece& piece, std::span<const SizeTime> points) {
  double worst = 0.0;
  for (const SizeTime& point : points) {
    worst = std::max(worst, std::abs(piece.at(point.wire) / point.time - 1.0));
  }
  return worst;
}

// What makes the sum of squared relative errors of one time for all least: sum 1/t over sum 1/t^2.
Seconds weighted_mean(std::span<const SizeTime> points) {
  double inverse = 0.0;
  double squares = 0.0;
  for (const SizeTime& point : points) {
    inverse += 1.0 / point.time.value();
    squares += 1.0 / (point.time.value() * point.time.value());
  }
  return Seconds(inverse / squares);
}

void add_intervals(CurvePiece& piece, const CollectiveLine& line) {
  if (line.points < kFewestForInterval) {
    const std::string reason = "an interval needs at least 4 points";
    piece.latency_interval = Answer<Interval>::none(reason);
    piece.bandwidth_interval = Answer<Interval>::none(reason);
    return;
  }
  const double t = student_quantile(0.5 + kConfidence / 2.0, static_cast<int>(line.points) - 2);
  const double latency = t * std::sqrt(line.latency_variance);
  piece.latency_interval = Interval{line.latency.value() - latency, line.latency.value() + latency};
  const double slope = 1.0 / line.bandwidth.value();
  const double half = t * std::sqrt(line.slope_variance);
  if (slope > half) {
    piece.bandwidth_interval = Interval{1.0 / (slope + half), 1.0 / (slope - half)};
  } else {
    piece.bandwidth_interval = Answer<Interval>::none("the time may not grow with size here");
  }
}

CurvePiece piece_of(std::span<const SizeTime> points) {
  CurvePiece piece{
      .smallest = points.front().wire, .largest = points.back().wire, .points = points.size()};
  const Answer<CollectiveLine> line = fit_line(points);
  if (line) {
    piece.latency = line->latency;
    piece.bandwidth = line->bandwidth;
    add_intervals(piece, *line);
  } else {
    piece.latency = weighted_mean(points);
    piece.bandwidth = Answer<BytesPerSecond>::none(line.reason());
    piece.latency_interval = Answer<Interval>::none(line.reason());
    piece.bandwidth_interval = Answer<Interval>::none(line.reason());
  }
  piece.max_relative_error = worst_error(piece, points);
  return piece;
}

// Of ascending points those that are nearest by ratio, still ascending.
std::vector<SizeTime> nearest(Bytes wire, std::span<const SizeTime> points, std::size_t count) {
  std::vector<SizeTime> sorted(points.begin(), points.end());
  const auto distance = [wire](const SizeTime& p) {
    return std::max(p.wire / wire, wire / p.wire);
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const SizeTime& a, const SizeTime& b) { return distance(a) < distance(b); });
  sorted.resize(std::min(count, sorted.size()));
  std::sort(sorted.begin(), sorted.end(),
            [](const SizeTime& a, const SizeTime& b) { return a.wire < b.wire; });
  return sorted;
}

}  // namespace

Seconds CurvePiece::at(Bytes wire) const {
  return bandwidth ? latency + wire / *bandwidth : latency;
}

CollectiveCurve::CollectiveCurve(std::span<const SizeTime> points) : points_(one_per_size(points)) {
  if (points_.size() < kFewestSizes) {
    throw InvalidInput(
        "", "a line needs at least 3 distinct sizes, there are " + std::to_string(points_.size()));
  }
  ranges_ = find_segments(points_, kSizeNoise);
  for (const CollectiveSegment& range : ranges_) {
    segments_.push_back(piece_of(points_in(range, points_)));
  }
}

Answer<CurvePiece> CollectiveCurve::around(Bytes wire) const {
  if (wire < points_.front().wire || wire > points_.back().wire) {
    throw InvalidInput("at", to_text(wire) + " is outside of the sizes that were measured, " +
                                 to_text(points_.front().wire) + " to " +
                                 to_text(points_.back().wire));
  }
  const Answer<CollectiveSegment> range = segment_at(wire, ranges_);
  if (!range) return Answer<CurvePiece>::none(range.reason());
  const std::vector<SizeTime> inside = points_in(*range, points_);
  const std::vector<SizeTime> around = points_around(wire, inside);
  return piece_of(around.size() < kFewestSizes ? nearest(wire, inside, kFewestSizes) : around);
}

bool CollectiveCurve::near_break(Bytes wire) const {
  return splitbench::near_break(wire, ranges_);
}

}  // namespace splitbench

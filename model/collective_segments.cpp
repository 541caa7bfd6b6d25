#include "model/collective_segments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "model/invalid_input.h"
#include "model/quantity_text.h"

namespace splitbench {
namespace {

constexpr std::size_t kFewestSizes = 3;
constexpr std::size_t kMostSegments = 8;
// A segment has two parameters of its line and the place of its break.
constexpr double kParameters = 3.0;
// A quarter octave, and the rounding of sizes to whole elements.
const double kNear = std::exp2(0.25) * 1.001;

void check(std::span<const SizeTime> points, double noise) {
  if (!(noise >= 0.0)) throw InvalidInput("noise", "expected a number of at least 0");
  for (const SizeTime& point : points) {
    if (!(point.wire.value() > 0.0) || !(point.time.value() > 0.0)) {
      throw InvalidInput("points", "expected sizes and times above 0");
    }
  }
}

// The best line through points that are added one by one: weighted sums about the weighted means,
// by the updating formulas of Chan, Golub and LeVeque (The American Statistician 37, 1983).
class GrowingLine {
 public:
  void add(const SizeTime& point) {
    const double weight = 1.0 / (point.time.value() * point.time.value());
    weights_ += weight;
    const double share = weight / weights_;
    const double size = point.wire.value() - mean_size_;
    const double time = point.time.value() - mean_time_;
    mean_size_ += share * size;
    mean_time_ += share * time;
    const double kept = weight * (1.0 - share);
    size_size_ += kept * size * size;
    size_time_ += kept * size * time;
    time_time_ += kept * time * time;
  }

  // The sum of squared relative errors; of at least 2 sizes.
  double squares() const {
    return std::max(time_time_ - size_time_ * size_time_ / size_size_, 0.0);
  }

 private:
  double weights_ = 0.0;
  double mean_size_ = 0.0;
  double mean_time_ = 0.0;
  double size_size_ = 0.0;
  double size_time_ = 0.0;
  double time_time_ = 0.0;
};

// The least sum of squares with one segment, two, ... and where each begins.
class Partitions {
 public:
  explicit Partitions(std::span<const SizeTime> points)
      : count_(points.size()), ends_(points.size() + 1) {
    GrowingLine all;
    for (std::size_t end = 1; end <= count_; ++end) {
      all.add(points[end - 1]);
      if (end < kFewestSizes) continue;
      ends_[end].squares[1] = all.squares();
      divide(points, ends_[end], end);
    }
  }

  // The ends of the segments (one past their last point) that the criterion chooses.
  std::vector<std::size_t> best_ends(double noise) const {
    const auto n = static_cast<double>(count_);
    std::size_t best = 1;
    double least = kImpossible;
    for (std::size_t segments = 1; segments <= kMostSegments; ++segments) {
      const double mean_square = ends_[count_].squares[segments] / n + noise * noise;
      const double criterion =
          n * std::log(mean_square) + kParameters * static_cast<double>(segments) * std::log(n);
      if (criterion < least) {
        least = criterion;
        best = segments;
      }
    }
    return ends(best);
  }

 private:
  static constexpr double kImpossible = std::numeric_limits<double>::infinity();

  // Of all points before one end, by the number of segments they are divided into.
  struct End {
    End() { squares.fill(kImpossible); }
    std::array<double, kMostSegments + 1> squares;       // the least
    std::array<std::size_t, kMostSegments + 1> begin{};  // of the last segment then
  };

  // All but one segment before `begin`, and the last one from there to `end`. The errors of a line
  // never shrink as points are added: where they alone are too many, no earlier beginning is
  // better.
  void divide(std::span<const SizeTime> points, End& best, std::size_t end) {
    GrowingLine last;
    std::size_t most = kMostSegments;
    for (std::size_t begin = end; begin-- > kFewestSizes;) {
      last.add(points[begin]);
      if (end - begin < kFewestSizes) continue;
      const double squares = last.squares();
      while (most > 1 && squares >= best.squares[most]) --most;
      if (most == 1) return;
      for (std::size_t segments = 2; segments <= most; ++segments) {
        const double sum = ends_[begin].squares[segments - 1] + squares;
        if (sum >= best.squares[segments]) continue;
        best.squares[segments] = sum;
        best.begin[segments] = begin;
      }
    }
  }

  std::vector<std::size_t> ends(std::size_t segments) const {
    std::vector<std::size_t> ends(segments);
    std::size_t end = count_;
    for (std::size_t segment = segments; segment > 0; --segment) {
      ends[segment - 1] = end;
      end = ends_[end].begin[segment];
    }
    return ends;
  }

  std::size_t count_;
  std::vector<End> ends_;
};

}  // namespace

std::vector<SizeTime> one_per_size(std::span<const SizeTime> points) {
  std::vector<SizeTime> sorted(points.begin(), points.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const SizeTime& a, const SizeTime& b) { return a.wire < b.wire; });
  std::vector<SizeTime> merged;
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::find_if(first, sorted.end(),
                                   [first](const SizeTime& p) { return p.wire != first->wire; });
    Seconds sum{};
    for (auto point = first; point != last; ++point) sum += point->time;
    merged.push_back({first->wire, sum / static_cast<double>(last - first)});
    first = last;
  }
  return merged;
}

std::vector<CollectiveSegment> find_segments(std::span<const SizeTime> points, double noise) {
  check(points, noise);
  const std::vector<SizeTime> sizes = one_per_size(points);
  if (sizes.size() < kFewestSizes) return {};
  std::vector<CollectiveSegment> segments;
  std::size_t begin = 0;
  for (const std::size_t end : Partitions(sizes).best_ends(noise)) {
    segments.push_back({.smallest = sizes[begin].wire, .largest = sizes[end - 1].wire});
    begin = end;
  }
  return segments;
}

Answer<CollectiveSegment> segment_at(Bytes wire, std::span<const CollectiveSegment> segments) {
  using None = Answer<CollectiveSegment>;
  if (segments.empty()) return None::none("a line needs at least 3 distinct sizes");
  if (wire < segments.front().smallest || wire > segments.back().largest) {
    return None::none(to_text(wire) + " is outside of the sizes that were measured, " +
                      to_text(segments.front().smallest) + " to " +
                      to_text(segments.back().largest));
  }
  const auto next = std::find_if(segments.begin(), segments.end(),
                                 [wire](const CollectiveSegment& s) { return wire <= s.largest; });
  if (next->holds(wire)) return *next;
  return None::none("bimodal: the line breaks between " + to_text(std::prev(next)->largest) +
                    " and " + to_text(next->smallest) + ", and " + to_text(wire) +
                    " lies between the two");
}

bool near_break(Bytes wire, std::span<const CollectiveSegment> segments) {
  const auto near = [wire](const CollectiveSegment& before, const CollectiveSegment& after) {
    return wire >= before.largest / kNear && wire <= after.smallest * kNear;
  };
  return std::adjacent_find(segments.begin(), segments.end(), near) != segments.end();
}

std::vector<SizeTime> points_in(const CollectiveSegment& segment,
                                std::span<const SizeTime> points) {
  std::vector<SizeTime> kept;
  std::copy_if(points.begin(), points.end(), std::back_inserter(kept),
               [&segment](const SizeTime& point) { return segment.holds(point.wire); });
  return kept;
}

}  // namespace splitbench

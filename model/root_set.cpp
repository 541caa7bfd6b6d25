#include "model/root_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/distributions.h"
#include "model/invalid_input.h"

namespace splitbench {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// p x^2 - 2 q x + r <= 0, with its discriminant q^2 - p r.
struct Quadratic {
  double p, q, r, discriminant;
};

double average(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The condition |mean(a - x b)| <= t se(a - x b), squared: every coefficient is a product of means
// less t^2 / n times the covariance of the same two. The discriminant is written out, for the
// difference of its two large parts would cost half of the digits.
Quadratic condition(std::span<const double> a, std::span<const double> b, double confidence) {
  const double mean_a = average(a);
  const double mean_b = average(b);
  double aa = 0.0;
  double ab = 0.0;
  double bb = 0.0;
  double crossed = 0.0;
  for (std::size_t s = 0; s < a.size(); ++s) {
    const double da = a[s] - mean_a;
    const double db = b[s] - mean_b;
    aa += da * da;
    ab += da * db;
    bb += db * db;
    crossed += (mean_b * da - mean_a * db) * (mean_b * da - mean_a * db);
  }
  const double n = static_cast<double>(a.size());
  const double t = student_quantile(0.5 + confidence / 2.0, static_cast<int>(a.size()) - 1);
  const double factor = t * t / (n * (n - 1.0));
  return {.p = mean_b * mean_b - factor * bb,
          .q = mean_a * mean_b - factor * ab,
          .r = mean_a * mean_a - factor * aa,
          .discriminant = factor * crossed - factor * factor * (aa * bb - ab * ab)};
}

RealSet half_line(double q, double r) {  // r <= 2 q x
  if (q > 0.0) return {{{r / (2.0 * q), kInfinity}}};
  if (q < 0.0) return {{{-kInfinity, r / (2.0 * q)}}};
  return r <= 0.0 ? RealSet{{{-kInfinity, kInfinity}}} : RealSet{};
}

RealSet solve(const Quadratic& condition) {
  const auto [p, q, r, discriminant] = condition;
  if (p == 0.0) return half_line(q, r);
  if (p < 0.0 && discriminant <= 0.0) return {{{-kInfinity, kInfinity}}};
  // Not below 0 where p > 0, as mean(a) / mean(b) is a solution; rounding may say otherwise.
  const double root = std::sqrt(std::max(discriminant, 0.0));
  // The root of larger magnitude first, the other by their product: no cancellation.
  const double larger = (q + std::copysign(root, q)) / p;
  const double other = larger == 0.0 ? 0.0 : r / (p * larger);
  const auto [low, high] = std::minmax(larger, other);
  if (p > 0.0) return {{{low, high}}};
  return {{{-kInfinity, low}, {high, kInfinity}}};
}

}  // namespace

bool RealSet::contains(double value) const {
  return std::any_of(parts.begin(), parts.end(),
                     [value](const Interval& part) { return part.contains(value); });
}

RealSet root_set(std::span<const double> a, std::span<const double> b, double confidence) {
  if (a.size() != b.size() || a.size() < 2) {
    throw InvalidInput("sessions", "expected two paired values of each of at least 2 sessions");
  }
  return solve(condition(a, b, confidence));
}

RealSet not_negative(const RealSet& set) {
  RealSet kept;
  for (const Interval& part : set.parts) {
    if (part.high >= 0.0) kept.parts.push_back({std::max(part.low, 0.0), part.high});
  }
  return kept;
}

RealSet divided_by(double k, const RealSet& set) {
  RealSet result;
  for (auto part = set.parts.rbegin(); part != set.parts.rend(); ++part) {
    result.parts.push_back({k / part->high, part->low == 0.0 ? kInfinity : k / part->low});
  }
  return result;
}

}  // namespace splitbench

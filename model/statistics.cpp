#include "model/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "model/distributions.h"
#include "model/invalid_input.h"

namespace splitbench {
namespace {

// Forgives what p * n loses in binary: 0.07 * 100 is the 7th value, not the 8th.
constexpr double kRankRounding = 1e-9;

void require_finite(std::span<const double> values) {
  for (double value : values) {
    if (!std::isfinite(value)) throw InvalidInput("values", "expected finite values");
  }
}

double average(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// n - 1 in the denominator.
double standard_deviation(std::span<const double> values, double center) {
  double squares = 0.0;
  for (double value : values) squares += (value - center) * (value - center);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

Answer<Interval> t_interval(double center, double sd, std::size_t sessions, double confidence) {
  if (sessions < 2) {
    return Answer<Interval>::none("one session has no interval; at least 2 are needed");
  }
  const double t = student_quantile(0.5 + confidence / 2.0, static_cast<int>(sessions) - 1);
  const double half = t * sd / std::sqrt(static_cast<double>(sessions));
  return Interval{center - half, center + half};
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) throw InvalidInput("values", "the median of no values is undefined");
  require_finite(values);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

double quantile(std::span<const double> sorted, double share) {
  if (sorted.empty()) throw InvalidInput("values", "a quantile of no values is undefined");
  if (!(share >= 0.0 && share <= 1.0)) throw InvalidInput("share", "expected a share in [0, 1]");
  const double rank = std::ceil(share * static_cast<double>(sorted.size()) - kRankRounding);
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

Answer<Estimate> mean(std::span<const double> sessions, double confidence, std::string_view what) {
  if (sessions.empty()) return Answer<Estimate>::none(std::string(what) + ": no session has it");
  require_finite(sessions);
  const double center = average(sessions);
  const double sd = sessions.size() < 2 ? 0.0 : standard_deviation(sessions, center);
  return Estimate{.value = center,
                  .scale = Scale::linear,
                  .sessions = sessions.size(),
                  .session_sd = sd,
                  .interval = t_interval(center, sd, sessions.size(), confidence)};
}

Answer<Estimate> log_mean(std::span<const double> sessions, double confidence,
                          std::string_view what) {
  require_finite(sessions);
  const auto not_positive = [](double value) { return value <= 0.0; };
  if (std::any_of(sessions.begin(), sessions.end(), not_positive)) {
    return mean(sessions, confidence, what);
  }
  std::vector<double> logs(sessions.size());
  std::transform(sessions.begin(), sessions.end(), logs.begin(),
                 [](double value) { return std::log(value); });
  Answer<Estimate> of_logs = mean(logs, confidence, what);
  if (!of_logs) return of_logs;
  Estimate estimate = *of_logs;
  estimate.scale = Scale::logarithmic;
  estimate.value = std::exp(estimate.value);
  if (estimate.interval) {
    estimate.interval =
        Interval{std::exp(estimate.interval->low), std::exp(estimate.interval->high)};
  }
  return estimate;
}

RootMeanSquare root_mean_square(std::span<const double> errors, double confidence) {
  if (errors.empty()) throw InvalidInput("errors", "the root mean square of nothing is undefined");
  require_finite(errors);
  const double squares = std::inner_product(errors.begin(), errors.end(), errors.begin(), 0.0);
  const double count = static_cast<double>(errors.size());
  const double rms = std::sqrt(squares / count);
  const double chi_square = chi_square_quantile(1.0 - confidence, static_cast<int>(errors.size()));
  return {.value = rms, .upper_limit = rms * std::sqrt(count / chi_square)};
}

}  // namespace splitbench

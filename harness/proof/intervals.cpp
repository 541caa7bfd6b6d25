#include "harness/proof/intervals.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>

namespace splitbench::proof {
namespace {

double average(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double normal_quantile(double probability) {
  if (probability <= 0.0) return -std::numeric_limits<double>::infinity();
  if (probability >= 1.0) return std::numeric_limits<double>::infinity();
  return boost::math::quantile(boost::math::normal(), probability);
}

double normal_share(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

double standard_error(std::span<const double> values, double center) {
  double squares = 0.0;
  for (const double value : values) squares += (value - center) * (value - center);
  const auto count = static_cast<double>(values.size());
  return std::sqrt(squares / (count * (count - 1.0)));
}

}  // namespace

Resamples resampled(std::span<const double> sessions, std::size_t count, Random& random) {
  Resamples resamples;
  std::vector<double> drawn(sessions.size());
  for (std::size_t i = 0; i < count; ++i) {
    for (double& one : drawn) one = sessions[random.below(sessions.size())];
    const double center = average(drawn);
    resamples.means.push_back(center);
    resamples.errors.push_back(standard_error(drawn, center));
  }
  return resamples;
}

std::vector<double> hierarchically_resampled(std::span<const std::vector<double>> sessions,
                                             std::size_t count, Random& random) {
  std::vector<double> means(count);
  std::vector<double> drawn;
  for (double& center : means) {
    double sum = 0.0;
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      const std::vector<double>& rounds = sessions[random.below(sessions.size())];
      drawn.resize(rounds.size());
      for (double& one : drawn) one = rounds[random.below(rounds.size())];
      const auto middle = drawn.begin() + static_cast<std::ptrdiff_t>(drawn.size() / 2);
      std::nth_element(drawn.begin(), middle, drawn.end());
      sum += *middle;
    }
    center = sum / static_cast<double>(sessions.size());
  }
  return means;
}

Interval percentile_interval(std::vector<double> values, double confidence) {
  std::sort(values.begin(), values.end());
  const double tail = (1.0 - confidence) / 2.0;
  return {quantile(values, tail), quantile(values, 1.0 - tail)};
}

double acceleration(std::span<const double> sessions) {
  const double center = average(sessions);
  double squares = 0.0;
  double cubes = 0.0;
  for (const double value : sessions) {
    const double off = value - center;
    squares += off * off;
    cubes += off * off * off;
  }
  return squares == 0.0 ? 0.0 : cubes / (6.0 * std::pow(squares, 1.5));
}

Interval bca_interval(std::span<const double> sessions, std::vector<double> means,
                      double confidence) {
  std::sort(means.begin(), means.end());
  const double center = average(sessions);
  const auto below = std::lower_bound(means.begin(), means.end(), center) - means.begin();
  const double bias =
      normal_quantile(static_cast<double>(below) / static_cast<double>(means.size()));
  const double a = acceleration(sessions);
  const auto moved = [&](double probability) {
    const double z = bias + normal_quantile(probability);
    const double share = normal_share(bias + z / (1.0 - a * z));
    return quantile(means, std::isnan(share) ? probability : share);
  };
  const double tail = (1.0 - confidence) / 2.0;
  return {moved(tail), moved(1.0 - tail)};
}

Interval bootstrap_t_interval(std::span<const double> sessions, const Resamples& resamples,
                              double confidence) {
  const double center = average(sessions);
  const double error = standard_error(sessions, center);
  std::vector<double> studentised;
  for (std::size_t i = 0; i < resamples.means.size(); ++i) {
    if (resamples.errors[i] == 0.0) continue;
    studentised.push_back((resamples.means[i] - center) / resamples.errors[i]);
  }
  if (studentised.empty()) return {center, center};
  const Interval q = percentile_interval(std::move(studentised), confidence);
  return {center - q.high * error, center - q.low * error};
}

Interval independent_median_interval(std::vector<double> values, double confidence) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  const double reach = normal_quantile(0.5 + confidence / 2.0) * std::sqrt(count) / 2.0;
  const double low = std::max(std::floor(count / 2.0 - reach), 1.0) - 1.0;
  const double high = std::min(std::ceil(count / 2.0 + 1.0 + reach), count) - 1.0;
  return {values[static_cast<std::size_t>(low)], values[static_cast<std::size_t>(high)]};
}

}  // namespace splitbench::proof

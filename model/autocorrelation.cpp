#include "model/autocorrelation.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace splitbench {
namespace {

constexpr double kWindow = 5.0;        // autocorrelation times that a sum of them takes (Sokal)
constexpr double kFewestTimes = 50.0;  // in all samples, for that sum to mean anything

using Series = std::vector<double>;

std::vector<Series> centred(std::span<const Series> sessions) {
  std::vector<Series> centred(sessions.begin(), sessions.end());
  for (Series& series : centred) {
    if (series.empty()) continue;
    const double mean =
        std::accumulate(series.begin(), series.end(), 0.0) / static_cast<double>(series.size());
    for (double& value : series) value -= mean;
  }
  return centred;
}

// The sum of the products of values `lag` apart.
double products(const std::vector<Series>& sessions, std::size_t lag) {
  double sum = 0.0;
  for (const Series& series : sessions) {
    for (std::size_t i = lag; i < series.size(); ++i) sum += series[i] * series[i - lag];
  }
  return sum;
}

}  // namespace

Answer<EffectiveSamples> effective_samples(std::span<const std::vector<double>> sessions) {
  using None = Answer<EffectiveSamples>;
  const std::vector<Series> series = centred(sessions);
  std::size_t count = 0;
  std::size_t longest = 0;
  for (const Series& one : series) {
    count += one.size();
    longest = std::max(longest, one.size());
  }
  const auto samples = static_cast<double>(count);
  const std::string too_few =
      "too few samples to tell how they depend on each other: " + std::to_string(count);
  if (samples < kFewestTimes) return None::none(too_few);
  const double variance = products(series, 0);
  if (!(variance > 0.0)) return None::none("all samples of a session are equal");
  double time = 1.0;
  for (std::size_t lag = 1; lag < longest; ++lag) {
    time += 2.0 * products(series, lag) / variance;
    if (samples < kFewestTimes * time) break;
    if (static_cast<double>(lag) < kWindow * std::max(time, 1.0)) continue;
    if (!(time > 0.0)) break;
    return EffectiveSamples{.autocorrelation_time = time, .count = samples / time};
  }
  return None::none(too_few);
}

}  // namespace splitbench

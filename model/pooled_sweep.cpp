#include "model/pooled_sweep.h"

#include <algorithm>
#include <cmath>

namespace splitbench {
namespace {

using Sweep = std::vector<SizeTime>;

bool all_positive(const Sweep& sweep) {
  return std::all_of(sweep.begin(), sweep.end(),
                     [](const SizeTime& point) { return point.time.value() > 0.0; });
}

bool same_sizes(const Sweep& a, const Sweep& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const SizeTime& p, const SizeTime& q) { return p.wire == q.wire; });
}

std::vector<Sweep> alike(std::span<const Sweep> sessions) {
  std::vector<Sweep> sorted;
  for (Sweep sweep : sessions) {
    if (sweep.empty() || !all_positive(sweep)) continue;
    std::sort(sweep.begin(), sweep.end(),
              [](const SizeTime& a, const SizeTime& b) { return a.wire < b.wire; });
    sorted.push_back(std::move(sweep));
  }
  const auto most =
      std::max_element(sorted.begin(), sorted.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (most == sorted.end()) return sorted;
  const Sweep sizes = *most;
  std::erase_if(sorted, [&sizes](const Sweep& sweep) { return !same_sizes(sweep, sizes); });
  return sorted;
}

// ln t by session and size, less the mean of its session and that of its size, plus that of all:
// what is left are the errors of a two-way layout, with (sessions - 1)(sizes - 1) degrees of
// freedom.
double interaction_variance(const std::vector<Sweep>& sessions,
                            const std::vector<double>& size_means) {
  const auto rows = static_cast<double>(sessions.size());
  const auto columns = static_cast<double>(size_means.size());
  double squares = 0.0;
  for (const Sweep& sweep : sessions) {
    double session_effect = 0.0;
    for (std::size_t i = 0; i < sweep.size(); ++i) {
      session_effect += (std::log(sweep[i].time.value()) - size_means[i]) / columns;
    }
    for (std::size_t i = 0; i < sweep.size(); ++i) {
      const double error = std::log(sweep[i].time.value()) - size_means[i] - session_effect;
      squares += error * error;
    }
  }
  return squares / ((rows - 1.0) * (columns - 1.0));
}

}  // namespace

PooledSweep pool(std::span<const std::vector<SizeTime>> sessions) {
  const std::vector<Sweep> sweeps = alike(sessions);
  if (sweeps.empty()) return {};
  const auto count = static_cast<double>(sweeps.size());
  std::vector<double> means(sweeps.front().size(), 0.0);
  for (const Sweep& sweep : sweeps) {
    for (std::size_t i = 0; i < sweep.size(); ++i) {
      means[i] += std::log(sweep[i].time.value()) / count;
    }
  }
  PooledSweep pooled;
  for (std::size_t i = 0; i < means.size(); ++i) {
    pooled.times.push_back({sweeps.front()[i].wire, Seconds(std::exp(means[i]))});
  }
  if (sweeps.size() > 1 && means.size() > 1) {
    pooled.noise = std::sqrt(interaction_variance(sweeps, means) / count);
  }
  return pooled;
}

}  // namespace splitbench

#include "model/trend.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "model/statistics.h"

namespace splitbench {
namespace {

// Longer than that and the normal distribution serves: its error is far below that of the
// assumption that rounds are independent.
constexpr std::size_t kExactPairs = 400;

long score(const std::vector<double>& series) {
  long sum = 0;
  for (std::size_t later = 1; later < series.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      sum += static_cast<long>(series[later] > series[earlier]) -
             static_cast<long>(series[later] < series[earlier]);
    }
  }
  return sum;
}

std::size_t pairs_of(std::span<const std::vector<double>> series) {
  std::size_t pairs = 0;
  for (const std::vector<double>& one : series) {
    if (one.size() > 1) pairs += one.size() * (one.size() - 1) / 2;
  }
  return pairs;
}

// Probabilities of the number of pairs in descending order, 0, 1, ... One value more at the end of
// k others is below j of them with the same probability for every j from 0 to k.
class Inversions {
 public:
  void add_series(std::size_t length) {
    for (std::size_t others = 1; others < length; ++others) add_value(others);
  }

  std::size_t pairs() const { return probabilities_.size() - 1; }

  // P(|S| >= |score|), S = pairs - 2 x those in descending order.
  double beyond(long score) const {
    double sum = 0.0;
    for (std::size_t descending = 0; descending <= pairs(); ++descending) {
      const long s = static_cast<long>(pairs()) - 2 * static_cast<long>(descending);
      if (std::labs(s) >= std::labs(score)) sum += probabilities_[descending];
    }
    return std::min(sum, 1.0);
  }

 private:
  void add_value(std::size_t others) {
    std::vector<double> next(probabilities_.size() + others, 0.0);
    for (std::size_t i = 0; i < probabilities_.size(); ++i) {
      for (std::size_t below = 0; below <= others; ++below) {
        next[i + below] += probabilities_[i] / static_cast<double>(others + 1);
      }
    }
    probabilities_ = std::move(next);
  }

  std::vector<double> probabilities_{1.0};
};

// Var S = n (n - 1)(2 n + 5) / 18 of each series; with the continuity correction.
double normal_p_value(std::span<const std::vector<double>> series, long score) {
  double variance = 0.0;
  for (const std::vector<double>& one : series) {
    const auto n = static_cast<double>(one.size());
    variance += n * (n - 1.0) * (2.0 * n + 5.0) / 18.0;
  }
  const double distance = std::max(static_cast<double>(std::labs(score)) - 1.0, 0.0);
  return std::erfc(distance / std::sqrt(2.0 * variance));
}

// P(|S| >= |score|) without a trend.
double p_value(std::span<const std::vector<double>> series, long score) {
  if (pairs_of(series) > kExactPairs) return normal_p_value(series, score);
  Inversions inversions;
  for (const std::vector<double>& one : series) inversions.add_series(one.size());
  return inversions.beyond(score);
}

double half_change(const std::vector<double>& one) {
  const auto half = static_cast<std::ptrdiff_t>(one.size() / 2);
  return std::log(median({one.end() - half, one.end()}) /
                  median({one.begin(), one.begin() + half}));
}

}  // namespace

Answer<Trend> find_trend(std::span<const std::vector<double>> series, double alpha) {
  using None = Answer<Trend>;
  const char* const too_few = "too few rounds for a trend to show";
  const long most = static_cast<long>(pairs_of(series));
  if (most == 0 || p_value(series, most) > alpha) return None::none(too_few);
  long sum = 0;
  double change = 0.0;
  double halved = 0.0;
  for (const std::vector<double>& one : series) {
    sum += score(one);
    if (one.size() < 2) continue;
    change += half_change(one);
    halved += 1.0;
  }
  return Trend{.p_value = p_value(series, sum), .change = std::expm1(change / halved)};
}

std::vector<std::vector<double>> by_device(std::span<const RoundTime> rounds) {
  std::map<int, std::vector<double>> devices;
  for (const RoundTime& round : rounds) devices[round.device].push_back(round.time);
  std::vector<std::vector<double>> series;
  for (auto& [device, times] : devices) series.push_back(std::move(times));
  return series;
}

bool is_quiet(std::span<const std::vector<RoundTime>> steps, double false_alarms,
              double least_change) {
  const double alpha = false_alarms / static_cast<double>(std::max<std::size_t>(steps.size(), 1));
  return std::none_of(steps.begin(), steps.end(), [&](const std::vector<RoundTime>& step) {
    const Answer<Trend> trend = find_trend(by_device(step), alpha);
    return trend && trend->p_value <= alpha && std::abs(trend->change) > least_change;
  });
}

}  // namespace splitbench

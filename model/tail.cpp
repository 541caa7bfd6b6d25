#include "model/tail.h"

#include <algorithm>
#include <cmath>

#include "model/random.h"

namespace splitbench {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr double kRankRounding = 1e-9;  // as in quantile()

// All samples, the largest first, each with its round; how often a round was drawn is the weight of
// each of its samples.
class Bootstrap {
 public:
  explicit Bootstrap(std::span<const RoundSamples> sessions) {
    for (const RoundSamples& session : sessions) {
      const std::size_t first = sizes_.size();
      for (const std::vector<double>& round : session) {
        if (round.empty()) continue;
        for (const double value : round) descending_.push_back({value, sizes_.size()});
        sizes_.push_back(round.size());
      }
      if (sizes_.size() > first) sessions_.push_back({first, sizes_.size() - first});
    }
    std::sort(descending_.begin(), descending_.end(),
              [](const Sample& a, const Sample& b) { return a.value > b.value; });
    times_.resize(sizes_.size());
  }

  std::size_t sessions() const { return sessions_.size(); }

  void draw(Random& random) {
    std::fill(times_.begin(), times_.end(), 0);
    count_ = 0;
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
      const Rounds& session = sessions_[random.below(sessions_.size())];
      for (std::size_t j = 0; j < session.count; ++j) {
        const std::size_t round = session.first + random.below(session.count);
        ++times_[round];
        count_ += sizes_[round];
      }
    }
  }

  // By nearest rank, of what was drawn.
  double quantile(double share) const {
    const double rank = std::ceil(share * static_cast<double>(count_) - kRankRounding);
    const std::size_t from_above = count_ - static_cast<std::size_t>(std::max(rank, 1.0)) + 1;
    std::size_t seen = 0;
    for (const Sample& sample : descending_) {
      seen += times_[sample.round];
      if (seen >= from_above) return sample.value;
    }
    return descending_.back().value;
  }

 private:
  struct Sample {
    double value;
    std::size_t round;
  };
  struct Rounds {
    std::size_t first;
    std::size_t count;
  };
  std::vector<Sample> descending_;
  std::vector<std::size_t> sizes_;  // samples of each round
  std::vector<Rounds> sessions_;
  std::vector<std::size_t> times_;  // each round was drawn
  std::size_t count_ = 0;           // of samples drawn
};

Interval middle_of(std::vector<double> values, double confidence) {
  std::sort(values.begin(), values.end());
  const double outside = (1.0 - confidence) / 2.0;
  return {quantile(values, outside), quantile(values, 1.0 - outside)};
}

}  // namespace

Answer<std::vector<Interval>> tail_intervals(std::span<const RoundSamples> sessions,
                                             std::span<const double> shares, double confidence,
                                             std::size_t resamples) {
  Bootstrap bootstrap(sessions);
  if (bootstrap.sessions() < 2) {
    return Answer<std::vector<Interval>>::none(
        "one session has no interval; at least 2 are needed");
  }
  Random random(kSeed);
  std::vector<std::vector<double>> values(shares.size());
  for (std::size_t i = 0; i < resamples; ++i) {
    bootstrap.draw(random);
    for (std::size_t s = 0; s < shares.size(); ++s) {
      values[s].push_back(bootstrap.quantile(shares[s]));
    }
  }
  std::vector<Interval> intervals;
  for (std::vector<double>& of_share : values) {
    intervals.push_back(middle_of(std::move(of_share), confidence));
  }
  return intervals;
}

}  // namespace splitbench

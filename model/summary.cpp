#include "model/summary.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace splitbench {
namespace {

constexpr std::size_t kSamplesForP99 = 100;
constexpr const char* kTooFewForP99 = "fewer than 100 samples";

RoundSamples samples_by_round(const std::vector<Block>& blocks, Reading reading) {
  RoundSamples rounds;
  for (const Block& block : blocks) {
    std::vector<double>& samples = rounds.emplace_back();
    for (std::size_t r = 0; r < block.repeats(); ++r) samples.push_back(reading(block, r));
  }
  return rounds;
}

std::size_t count(const std::vector<RoundSamples>& sessions) {
  std::size_t samples = 0;
  for (const RoundSamples& session : sessions) {
    for (const std::vector<double>& round : session) samples += round.size();
  }
  return samples;
}

void estimate_tail(SampleQuality& quality, const std::vector<RoundSamples>& sessions,
                   double confidence, std::size_t resamples) {
  const auto intervals = tail_intervals(sessions, std::array{0.95, 0.99}, confidence, resamples);
  if (!intervals) {
    quality.p95_interval = quality.p99_interval = Answer<Interval>::none(intervals.reason());
    return;
  }
  quality.p95_interval = intervals->at(0);
  quality.p99_interval = count(sessions) < kSamplesForP99 ? Answer<Interval>::none(kTooFewForP99)
                                                          : Answer<Interval>(intervals->at(1));
}

std::vector<double> one_after_another(const RoundSamples& rounds) {
  std::vector<double> samples;
  for (const std::vector<double>& round : rounds) {
    samples.insert(samples.end(), round.begin(), round.end());
  }
  return samples;
}

// A time that is not above 0 has no logarithm, and no trend is looked for.
Answer<Trend> trend_over_rounds(std::span<const std::vector<Block>* const> sessions,
                                Reading reading, double alpha) {
  std::vector<std::vector<double>> series;
  for (const std::vector<Block>* blocks : sessions) {
    std::vector<RoundTime> rounds;
    for (const Block& block : *blocks) {
      const double time = block_median(block, reading);
      if (!(time > 0.0)) return Answer<Trend>::none("a round took no time");
      rounds.push_back({.device = block.device, .time = time});
    }
    for (std::vector<double>& one : by_device(rounds)) series.push_back(std::move(one));
  }
  return find_trend(series, alpha);
}

}  // namespace

Answer<Summary> summarize(std::span<const std::vector<Block>* const> sessions, Reading reading,
                          double confidence) {
  std::vector<double> pooled;
  std::vector<double> session_values;
  for (const std::vector<Block>* blocks : sessions) {
    if (const auto value = session_median(*blocks, reading)) session_values.push_back(*value);
    for (const Block& block : *blocks) {
      for (std::size_t r = 0; r < block.repeats(); ++r) pooled.push_back(reading(block, r));
    }
  }
  if (pooled.empty()) return Answer<Summary>::none("not measured");
  std::sort(pooled.begin(), pooled.end());
  return Summary{.median = median(pooled),
                 .mean = std::accumulate(pooled.begin(), pooled.end(), 0.0) /
                         static_cast<double>(pooled.size()),
                 .p05 = quantile(pooled, 0.05),
                 .p25 = quantile(pooled, 0.25),
                 .p75 = quantile(pooled, 0.75),
                 .p95 = quantile(pooled, 0.95),
                 .p99 = pooled.size() < kSamplesForP99 ? Answer<double>::none(kTooFewForP99)
                                                       : Answer<double>(quantile(pooled, 0.99)),
                 .samples = pooled.size(),
                 .sessions = session_values.size(),
                 .typical = *log_mean(session_values, confidence, "arm")};
}

SampleQuality sample_quality(std::span<const std::vector<Block>* const> sessions, Reading reading,
                             double confidence, std::size_t resamples, double trend_alpha) {
  std::vector<RoundSamples> by_round;
  std::vector<std::vector<double>> in_order;
  for (const std::vector<Block>* blocks : sessions) {
    by_round.push_back(samples_by_round(*blocks, reading));
    in_order.push_back(one_after_another(by_round.back()));
  }
  SampleQuality quality;
  estimate_tail(quality, by_round, confidence, resamples);
  quality.effective = effective_samples(in_order);
  quality.trend = trend_over_rounds(sessions, reading, trend_alpha);
  return quality;
}

}  // namespace splitbench

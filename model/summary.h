// The raw times of one arm over all sessions, as they are shown beside every result.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/answer.h"
#include "model/autocorrelation.h"
#include "model/measurements.h"
#include "model/statistics.h"
#include "model/tail.h"
#include "model/trend.h"

namespace splitbench {

// Seconds. Quantiles by nearest rank over the pooled repeats.
struct Summary {
  double median = 0.0;  // pooled
  double mean = 0.0;    // pooled
  double p05 = 0.0;
  double p25 = 0.0;
  double p75 = 0.0;
  double p95 = 0.0;
  Answer<double> p99 = Answer<double>::none("not estimated");  // none below 100 samples
  std::size_t samples = 0;
  std::size_t sessions = 0;
  Estimate typical;  // over sessions, of the median of block medians: the one with an interval
};

// What lies behind a summary: how sure its tail is, how much its samples say, whether it is steady.
struct SampleQuality {
  Answer<Interval> p95_interval = Answer<Interval>::none("not estimated");
  Answer<Interval> p99_interval = Answer<Interval>::none("not estimated");
  Answer<EffectiveSamples> effective = Answer<EffectiveSamples>::none("not estimated");
  Answer<Trend> trend = Answer<Trend>::none("not estimated");  // of block medians inside sessions
};

// `sessions`: the arm's blocks in each session. None where no session has a block.
Answer<Summary> summarize(std::span<const std::vector<Block>* const> sessions, Reading reading,
                          double confidence);

// `resamples` of the bootstrap, at least 1; `trend_alpha`: what a trend of this arm must not exceed
// to count as one.
SampleQuality sample_quality(std::span<const std::vector<Block>* const> sessions, Reading reading,
                             double confidence, std::size_t resamples, double trend_alpha);

}  // namespace splitbench

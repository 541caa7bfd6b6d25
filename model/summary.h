// The raw times of one arm over all sessions, as they are shown beside every result.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/answer.h"
#include "model/measurements.h"
#include "model/statistics.h"

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

// `sessions`: the arm's blocks in each session. None where no session has a block.
Answer<Summary> summarize(std::span<const std::vector<Block>* const> sessions, Reading reading,
                          double confidence);

}  // namespace splitbench

// How sure an upper percentile is: bootstrap intervals over sessions, then rounds.
//
// Sessions are drawn with replacement, then as many rounds of each as it has, and the percentile is
// that of all their samples: samples of one round and rounds of one session stay together, for they
// depend on each other. The interval is the percentile one. Source: Davison and Hinkley, "Bootstrap
// Methods and their Application", 1997, section 3.8 (nested data) and 5.3; how often it covers:
// docs/rules.md, "Tails and effective samples".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/answer.h"
#include "model/statistics.h"

namespace splitbench {

// A session's samples by round.
using RoundSamples = std::vector<std::vector<double>>;

// One interval per share (the larger the cheaper), of quantile() of all samples. The same arguments
// give the same intervals. None below two sessions that have a sample.
Answer<std::vector<Interval>> tail_intervals(std::span<const RoundSamples> sessions,
                                             std::span<const double> shares, double confidence,
                                             std::size_t resamples);

}  // namespace splitbench

// Intervals as they are often made, beside ours on the same runs.
#pragma once

#include <vector>

#include "harness/proof/study.h"

namespace splitbench::proof {

// Of C: the median's interval over all samples as if independent; the mean's of one session that is
// sampled until it is quiet. Of eta: from C and C_shard apart instead of paired.
std::vector<Study> naive_intervals(const Order& order, Ticker& ticker);

// How many of the samples, taken one after another, are enough by the rule of nvbench
// (stdrel_criterion.cxx): from 10 on, once they differ by less than 0.5 % (standard deviation), or
// that noise itself has settled, its last 64 values differing by less than 5 %. All, if never.
std::size_t samples_until_quiet(const std::vector<double>& samples);

}  // namespace splitbench::proof

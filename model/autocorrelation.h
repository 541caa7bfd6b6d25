// How much samples that follow one another say, as a number of independent ones.
//
// The integrated autocorrelation time is 1 + 2 (rho_1 + rho_2 + ... + rho_W), rho_k the correlation
// of samples k apart, W the first lag of at least 5 such times. Source: A. Sokal, "Monte Carlo
// Methods in Statistical Mechanics: Foundations and New Algorithms", 1997, section 3.
#pragma once

#include <span>
#include <vector>

#include "model/answer.h"

namespace splitbench {

struct EffectiveSamples {
  double autocorrelation_time = 1.0;  // in samples; below 1 where neighbours alternate
  double count = 0.0;                 // of samples, over that time
};

// `sessions`: the samples of each in the order in which they were taken. Correlation is that inside
// a session, about its own mean; what sessions share no sample of another tells. None where samples
// are too few to tell, below 50 such times in all, or are all equal.
Answer<EffectiveSamples> effective_samples(std::span<const std::vector<double>> sessions);

}  // namespace splitbench

// A share of runs, and what so many runs can say of it.
#pragma once

#include "model/statistics.h"

namespace splitbench::proof {

struct Proportion {
  long hits = 0;
  long trials = 0;

  void add(bool hit) {
    hits += hit ? 1 : 0;
    ++trials;
  }
  // 0 of no trials.
  double share() const {
    return trials == 0 ? 0.0 : static_cast<double>(hits) / static_cast<double>(trials);
  }
};

// The exact interval of Clopper and Pearson (Biometrika 26, 1934): it holds the true share with at
// least this confidence, at any number of trials. [0, 1] of no trials.
Interval binomial_interval(const Proportion& proportion, double confidence);

}  // namespace splitbench::proof

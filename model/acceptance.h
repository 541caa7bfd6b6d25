// What a protocol fixes before anything is measured: when a prediction counts as right, and what
// difference counts at all. Source: docs/methodology.md, "Verdicts".
#pragma once

#include <cstddef>

#include "model/quantity.h"

namespace splitbench {

struct AcceptanceCriteria {
  double model_tolerance = 0.03;              // delta = max(this, model_floor / T_N)
  Seconds model_floor = Seconds(1e-6);        //
  double least_effect = 0.01;                 // of the split, unless the twin shows it to be more
  double confidence = 0.95;                   // of what is shown
  double judging_confidence = 0.95;           // of FAILS and of the split verdict
  double equivalence_confidence = 0.90;       // of HOLDS and of the twin
  std::size_t draws = 2000;                   // resampled splits in each session
  std::size_t resamples = 10000;              // of sessions and rounds, for tail percentiles
  Seconds unexplained_floor = Seconds(1e-6);  // a rest below it is not worth a search
};

// Throws InvalidInput for a confidence outside (0, 1), a tolerance or effect outside (0, 1], a
// negative floor, no draws or no resamples.
void check(const AcceptanceCriteria& criteria);

}  // namespace splitbench

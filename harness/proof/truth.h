// What is true of a scenario, found without the code that is under test: from the simulation's own
// times, with the formulas of docs/formulas.md written out here.
#pragma once

#include "harness/proof/experiment.h"

namespace splitbench::proof {

// Seconds but for efficiency, bandwidth and speedup; stamps cost nothing but where e is named.
struct Truth {
  double serial = 0.0;            // S
  double serial_all_ranks = 0.0;  // S + X
  double compute = 0.0;           // C
  double shard = 0.0;             // C_shard
  double collective = 0.0;        // of one collective
  double latency = 0.0;           // l and
  double bandwidth = 0.0;         // B of the segment that V lies in
  double t1 = 0.0;                // e of one rank + T1
  double tn = 0.0;                // e of all ranks + T_N
  double efficiency = 0.0;        // eta
  double speedup = 0.0;           // t1 / tn
  double break_even = 0.0;        // C*
  double min_bandwidth = 0.0;     // B_min
  double min_efficiency = 0.0;    // eta_min
};

// Of a typical session: what whole sessions differ by is left out, and so are drift and settling.
// Where layers, tails or starts vary within a sample, medians of 200 001 samples of each arm; where
// each rank differs by session, so that the slowest is slower than typical, geometric means over
// 20 000 sessions; else one sample without noise is exact. Throws InvalidInput where ranks differ
// by session and samples vary too.
Truth truth_of(const Setup& setup);

}  // namespace splitbench::proof

// A run as the proof makes it: simulated in this process, analysed by the code that analyses any
// run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/backends/simulated/scenario.h"
#include "model/analysis.h"
#include "model/operation.h"
#include "protocols/protocol.h"
#include "results/point_samples.h"

namespace splitbench::proof {

struct Setup {
  simulated::Scenario scenario;
  Operation operation;
  int ranks = 2;
  std::vector<Arm> arms;    // in the order of splitbench::arms()
  std::vector<Bytes> grid;  // coarse sizes of the collective sweep
  int rounds = 5;
  int repeats = 4;
};

// The base case of docs/formulas.md "Inverse questions": S 0.8 ms, C 12 ms, eta 0.8, Q 4, l 30 us,
// V 2 000 000 B, B 10 GB/s, N = 2, so T1 12.8 ms and T_N 9.22 ms without what stamps cost: 2 us on
// one rank, 3 us on all. All arms that a verdict takes.
Setup worked_setup();

PointSamples simulated_samples(const Setup& setup, int sessions, std::uint64_t seed);

// Removes the later sessions. Session by session they are the same, however many there are.
void keep_first(PointSamples& samples, std::size_t sessions);

// Faults of the estimator, so that it can be seen that the proof would find one.
enum class Sabotage {
  none,
  narrow,  // intervals of 80 % where 95 % are asked for, 60 % where 90 %
  biased,  // shards seem 3 % faster than they are
};
std::string_view name(Sabotage sabotage);

// analyse() with the criteria that protocols have by default.
PointAnalysis analysis_of(PointSamples samples, Sabotage sabotage);

}  // namespace splitbench::proof

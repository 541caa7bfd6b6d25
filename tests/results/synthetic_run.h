// Records of a run that never was, made from known parameters: an analysis of them must give the
// parameters back. Nothing here calls the code under test; T_N is summed by hand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/run_record.h"

namespace splitbench::test {

// What one point is made of, in seconds and bytes per second. Ranks, layers (= Q) and wire bytes
// (= V) are the protocol's. Defaults: the base case of the documentation, with V = 2 000 000 bytes.
struct Truth {
  double serial = 0.8e-3;
  double compute = 12e-3;
  double efficiency = 0.8;
  double latency = 30e-6;
  double bandwidth = 10e9;
  double shard_slowdown = 1.25;  // of the shard on all ranks at once against one rank alone
  double split_extra = 0.0;      // what the split takes beyond the model, outside its collectives
  double empty = 0.0;            // e of one rank
  double empty_all_ranks = 0.0;
};

struct SyntheticRun {
  Protocol protocol;
  std::vector<Truth> truths;  // one per point
  int sessions = 6;
  int rounds = 5;
  int repeats = 4;
  bool fits_one_device = true;
  double session_noise = 0.0;  // relative, uniform with this standard deviation: of an arm's work
  double repeat_noise = 0.0;   // in a session, and of a repeat
  std::uint64_t noise_seed = 1;
};

struct Records {
  RunRecord run;
  std::vector<SessionRecord> sessions;
  std::vector<RoundRecord> rounds;
};

Records make_records(const SyntheticRun& run);

// Operations of `tokens` x 1000 x 4000, 4 layers, fp32 over 2 ranks: V = 4000 bytes per token, so
// that 500 tokens are the base case of the documentation.
Protocol synthetic_protocol(const std::vector<int>& tokens);
SyntheticRun base_case();

}  // namespace splitbench::test

// Samples made from a known truth, for tests of what is read out of them.
//
// Every time is the truth's value times `effect`, plus e for every interval between two stamps:
// without noise an analysis must return the truth itself. Nothing here calls the code under test:
// T_N is summed by hand.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "model/measurements.h"
#include "model/split_time.h"

namespace splitbench {

struct Scenario {
  SplitParameters truth;
  double empty = 0.0;            // e of one rank, s
  double empty_all_ranks = 0.0;  // e of all ranks, s
  bool stamped_split = false;    // around each collective, as in devices' rigs
  int sessions = 6;
  int rounds = 5;
  int repeats = 4;
  // Of an arm's work in a session: "serial", "compute", "shard", "collective", "unsplit", "twin",
  // "split", "split_without_collective". A sweep is "collective" too.
  std::function<double(std::string_view work, int session)> effect = [](std::string_view, int) {
    return 1.0;
  };
};

ParameterSamples parameter_samples(const Scenario& scenario);
ValidationSamples validation_samples(const Scenario& scenario);

// A block of an arm that takes `seconds` on each rank in every repeat.
Block plain_block(int round, int device, int ranks, int repeats, double seconds);
// The same in equal layers, with a stamp that costs `empty` at the end of each.
Block layered_block(int round, int ranks, int layers, int repeats, double seconds,
                    double empty = 0.0);

}  // namespace splitbench

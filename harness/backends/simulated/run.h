// A whole run in this process: the records that a run through the harness would leave, at the price
// of the simulation alone.
#pragma once

#include <vector>

#include "harness/backends/simulated/scenario.h"
#include "protocols/protocol.h"
#include "results/run_record.h"

namespace splitbench::simulated {

struct Records {
  std::vector<SessionRecord> sessions;
  std::vector<RoundRecord> rounds;  // warm-up left out, as ever
};

// Every step of the plan of the protocol and its seed, `repeats` samples each; nothing is dropped
// for a budget. The protocol need not be one that could be loaded: any number of ranks from 2 on.
// Throws HarnessError where a rank hangs.
Records simulate(const Scenario& scenario, const Protocol& protocol, int repeats);

}  // namespace splitbench::simulated

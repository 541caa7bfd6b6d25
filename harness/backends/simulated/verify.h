// The checks of a simulation. It moves no data: the exact example and small integers are computed,
// split as they would be, and nothing else is looked at. What the script says is wrong is wrong.
#pragma once

#include "harness/backends/simulated/simulation.h"
#include "results/run_record.h"

namespace splitbench::simulated {

Correctness verify(const Simulation& simulation);

}  // namespace splitbench::simulated

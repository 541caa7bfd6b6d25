// How often verdicts are wrong where they may be: at the limits, and what differences they see.
#pragma once

#include <vector>

#include "harness/proof/study.h"

namespace splitbench::proof {

// False HOLDS and FAILS where T_N differs from its prediction by just delta, of runs of fixed
// length and of runs that stop early; false FASTER and SLOWER where the gain is just the least
// effect.
std::vector<Study> verdict_errors(const Order& order, Ticker& ticker);

// Verdicts against the size of the difference. A quarter of the seeds.
std::vector<Study> power(const Order& order, Ticker& ticker);

}  // namespace splitbench::proof

// Do scripted faults come out as what they are? Each has the verdict and the term of the
// attribution that it must have, by where it is put in the timeline.
#pragma once

#include <vector>

#include "harness/proof/study.h"

namespace splitbench::proof {

// A quarter of the seeds. Also delays of known size, which must come back in full: slope 1.
std::vector<Study> attribution_of_faults(const Order& order, Ticker& ticker);

}  // namespace splitbench::proof

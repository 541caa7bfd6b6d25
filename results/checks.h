// Several checks of one point in one.
#pragma once

#include "results/run_record.h"

namespace splitbench {

// Passed where both did, with the larger error and the first failure.
Correctness worst_of(const Correctness& first, const Correctness& second);

}  // namespace splitbench

// Is the predicted T_N right on average where layers differ by chance?
#pragma once

#include <vector>

#include "harness/proof/study.h"

namespace splitbench::proof {

// Layers of every rank independent, CV 2, 5 and 10 %, on 2 and 8 ranks. A tenth of the seeds.
std::vector<Study> prediction_bias(const Order& order, Ticker& ticker);

}  // namespace splitbench::proof

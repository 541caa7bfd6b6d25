// How far predictions of T_N are off, and how often they call the wrong winner, on machines drawn
// at random: ours beside simpler ones.
#pragma once

#include <vector>

#include "harness/proof/study.h"

namespace splitbench::proof {

std::vector<Study> prediction_error(const Order& order, Ticker& ticker);

}  // namespace splitbench::proof

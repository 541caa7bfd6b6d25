// Do 95 % intervals hold the truth in 95 % of runs? Per parameter, family of noise and number of
// sessions; and how often the A/A twin sees a difference that is none.
#pragma once

#include <vector>

#include "harness/proof/family.h"
#include "harness/proof/study.h"

namespace splitbench::proof {

std::vector<Study> coverage(const Order& order, Ticker& ticker);

}  // namespace splitbench::proof

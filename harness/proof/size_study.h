// One collective over its sizes: the segments that are found, and what the line around V says of V,
// which it has not seen. An illustration: one run.
#pragma once

#include <vector>

#include "harness/proof/study.h"

namespace splitbench::proof {

std::vector<Study> collective_over_sizes(const Order& order, Ticker& ticker);

}  // namespace splitbench::proof

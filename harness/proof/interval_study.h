// Interval methods side by side on the same runs.
#pragma once

#include <vector>

#include "harness/proof/study.h"

namespace splitbench::proof {

// Of C: coverage and width of Student's t over sessions, and of the bootstraps of intervals.h.
std::vector<Study> interval_methods(const Order& order, Ticker& ticker);

}  // namespace splitbench::proof

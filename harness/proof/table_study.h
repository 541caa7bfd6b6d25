// How far predictions are off on tables that others published, and how often they call the winner
// rightly: ours beside naive ones.
#pragma once

#include <vector>

#include "harness/proof/study.h"

namespace splitbench::proof {

// Of order.tables; without any the study says that it was not run.
std::vector<Study> public_tables(const Order& order, Ticker& ticker);

}  // namespace splitbench::proof

// A time budget as bars of text: each term a run of its own letter, to one scale.
#pragma once

#include <string>
#include <vector>

#include "model/quantity.h"
#include "model/split_time.h"

namespace splitbench::cli {

struct BudgetTerm {
  char symbol;
  Seconds time;
};

// One bar: `width` characters stand for `full_scale`. Every boundary between terms is rounded once,
// so the bar's length is the rounded total; a term too short for a character does not show.
std::string bar(const std::vector<BudgetTerm>& terms, Seconds full_scale, int width);

// Two lines, "one device" and "split", with their totals, then the legend. At most 80 columns.
std::string budget_chart(const SplitParameters& parameters);

}  // namespace splitbench::cli

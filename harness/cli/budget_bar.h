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

struct BudgetRow {
  std::string label;
  std::vector<BudgetTerm> terms;
  std::string total;  // what stands behind the bar
};

// One bar: `width` characters stand for `full_scale`. Every boundary between terms is rounded once,
// so the bar's length is the rounded total; a term too short for a character does not show.
std::string bar(const std::vector<BudgetTerm>& terms, Seconds full_scale, int width);

// A line for each row, "  LABEL |BAR| TOTAL", to the scale of the longest. At most 80 columns where
// totals have no more than 11.
std::string budget_rows(const std::vector<BudgetRow>& rows);

// The rows "one device" and "split" of these parameters, then the legend.
std::string budget_chart(const SplitParameters& parameters);

}  // namespace splitbench::cli

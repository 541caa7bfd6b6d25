// Predictions of T_N by published tables, ours and naive ones, beside what the same tables say
// where no prediction could look.
//
// The truth of a shape is C_shard + H with the all-reduce's own entry; dense tables have none of
// this very size, so there it is log-log interpolation over the whole table. What predicts reads
// the table without the entries within 2 % of the message. One layer of bf16, no serial part. A
// table has one number for a time: it has no chance, and an interval of it is the error of reading.
#pragma once

#include <string_view>
#include <vector>

#include "harness/proof/proportion.h"
#include "harness/proof/published_tables.h"

namespace splitbench::proof {

// Of one way to predict, over all shapes.
struct TableFigures {
  std::string_view method;
  std::vector<double> errors;       // |predicted / true - 1|, ascending
  std::vector<double> half_widths;  // of 95 % intervals over what is predicted; none: it has none
  Proportion covered;               // by these intervals
  Proportion none;                  // no prediction
  // Calls on the split. Right is FASTER or SLOWER with the sign of the truth, and TIE where the
  // truth is within the least effect, 1 %.
  Proportion right;
  Proportion wrong;
  Proportion inconclusive;
  Proportion wrong_winner;  // had the value been believed
};

// Every row of the products whose message lies within the all-reduce's sizes, or is one of them
// where these are far apart. Ours first.
std::vector<TableFigures> table_figures(const PublishedTables& published);

}  // namespace splitbench::proof

// What the correctness checks of every backend have in common: how far a result may be from the
// right one, and how what each rank found becomes one answer. docs/rules.md "Correctness".
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "harness/rank/rank_barrier.h"
#include "harness/rank/shared_region.h"
#include "model/operation.h"
#include "results/run_record.h"

namespace splitbench {

// Relative errors of one rounding, and what is exact.
struct Precision {
  double factor = 0.0;        // of a factor as it is multiplied: not 0 where bits are dropped
  double accumulation = 0.0;  // of an addition to a product's sum
  double stored = 0.0;        // of a hidden value or an output as it is stored
  double integers = 0.0;      // whole numbers up to here are exact everywhere
};
Precision precision(DataType dtype);

// gamma(n, u) = n u / (1 - n u). Source: Higham, "Accuracy and Stability of Numerical Algorithms",
// 2nd edition, section 3.1.
double gamma(std::int64_t n, double u);

// An element of y may be off by input_weight (|x||A|)|B| + hidden_weight |h||B|, h = ReLU(x A).
struct ErrorBound {
  double input_weight = 0.0;
  double hidden_weight = 0.0;
};
// E = gamma(K1, u_acc) (|x||A|)|B| + (u_h + gamma(K2, u_acc)) |h||B| + N u_out sum |p_i|, and 2
// u_in more for each product; |h||B| stands for sum |p_i|, which it bounds.
ErrorBound error_bound(const Operation& operation, int ranks);

// One in so many values of the integer check is not 0, so that no sum is likely to exceed what is
// exact. Likely is not enough: the check looks.
std::uint32_t integer_sparsity(const Operation& operation);

// What one rank found. All is well at first.
struct Findings {
  Findings();

  Correctness correctness;
  double unwritten = 0.0;      // outputs in which nothing was written
  double outside = 0.0;        // values of random data beyond their bound
  double first_outside = 0.0;  // index of the first in its matrix, row by row

  // Random data were compared: the largest error and bound, values outside, the first of them.
  void compared(double error, double bound, double values_outside, double first);
};

// All findings in one, the same on every rank, with the first thing that was wrong. Collective;
// uses the table of times.
Correctness together(const Findings& mine, DataType dtype, std::int64_t columns,
                     SharedRegion& region, RankBarrier& barrier, int rank);

// Whether all ranks pass the same value. Collective; uses the table of times.
bool same_on_all_ranks(double value, SharedRegion& region, RankBarrier& barrier, int rank);

// A checksum of what every rank passes, in rank order: 16 hexadecimal digits, the same on every
// rank. Collective; uses the table of times.
std::string checksum_over_ranks(std::uint64_t mine, SharedRegion& region, RankBarrier& barrier,
                                int rank);

// values = their sum over ranks, in rank order, the same on every rank. Collective; uses the table
// of times and nothing that is under test.
void sum_over_ranks(std::span<double> values, SharedRegion& region, RankBarrier& barrier, int rank);

}  // namespace splitbench

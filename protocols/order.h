// Random balanced order: every treatment once a row, and no treatment always after the same other.
//
// Rows come from a Williams design, balanced for first-order carry-over: over all its rows every
// treatment stands once in every position (twice for odd n), and follows every other treatment once
// (twice for odd n). Source: E. J. Williams, "Experimental designs balanced for the estimation of
// residual effects of treatments", Australian Journal of Scientific Research A 2 (1949) 149-168.
#pragma once

#include <cstddef>
#include <vector>

#include "model/random.h"

namespace splitbench {

// Rows of the design for n treatments: n where n is even, 2n where it is odd; n > 0.
std::size_t williams_rows(std::size_t n);

// Row 0 is the zigzag 0, 1, n-1, 2, n-2, ...; row r < n adds r to each, modulo n; row n + r is row
// r backwards.
std::vector<std::size_t> williams_row(std::size_t n, std::size_t row);

// Orders for the rounds of one session: treatments are relabelled at random, then rows are drawn
// without replacement, all of them again in a new order when they are used up.
//   labels = 0..n-1 shuffled; deck = 0..rows-1 shuffled; an order is labels[deck[k]'s row].
class BalancedOrder {
 public:
  BalancedOrder(std::size_t n, Random& random);

  std::vector<std::size_t> next();  // a permutation of 0..n-1

 private:
  Random* random_;
  std::vector<std::size_t> labels_;
  std::vector<std::size_t> deck_;
  std::size_t drawn_ = 0;
};

}  // namespace splitbench

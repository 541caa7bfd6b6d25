// Which x satisfy a = x b, when a and b are known from sessions only: the confidence set of a ratio
// of means, by inverting a linear condition. It serves C*, B_min and eta_min.
//
// Source: E. C. Fieller, "Some problems in interval estimation", J. Royal Stat. Soc. B 16 (1954).
// The set is a closed interval only where b is clearly not 0; it may be unbounded, two rays, or
// all numbers. That is the answer, not a failure: the data exclude nothing more.
#pragma once

#include <span>
#include <vector>

#include "model/statistics.h"

namespace splitbench {

// Disjoint closed intervals in ascending order; their ends may be infinite. Empty: no number.
struct RealSet {
  std::vector<Interval> parts;

  bool contains(double value) const;
  bool empty() const { return parts.empty(); }
};

// All x for which the t interval of the mean of a_s - x b_s contains 0. a and b are paired by
// session, at least 2 of them; throws InvalidInput otherwise.
RealSet root_set(std::span<const double> a, std::span<const double> b, double confidence);

// Its part in [0, infinity).
RealSet not_negative(const RealSet& set);

// k / x for every x of a set without negative numbers, k > 0; 0 becomes infinity.
RealSet divided_by(double k, const RealSet& set);

}  // namespace splitbench

// A total, known as a geometric mean over sessions, as a sum of terms that adds up exactly.
//
// Means of the terms alone do not: a sum of arithmetic means is not a geometric mean. Each
// session's terms are therefore divided by that session's weight, averaged, and multiplied by the
// weight of the whole: the additive log-mean Divisia index (B. W. Ang, "The LMDI approach to
// decomposition analysis: a practical guide", Energy Policy 33, 2005).
#pragma once

#include <string_view>
#include <vector>

#include "model/answer.h"
#include "model/statistics.h"

namespace splitbench {

struct Term {
  std::string_view name;
  Answer<Estimate> amount = not_estimated();  // seconds, linear scale
};

// (a - b) / ln(a / b), their logarithmic mean; a where both are equal. a, b > 0.
double logarithmic_mean(double a, double b);

// whole * mean_s(terms_s / weights_s), with its t interval.
//   a total T:              weights T_s, whole their geometric mean; the terms sum to it
//   a difference T - U:     weights logarithmic_mean(T_s, U_s), whole that of the two geometric
//   means
Term weighted_term(std::string_view name, const std::vector<double>& sessions,
                   const std::vector<double>& weights, double whole, double confidence);

}  // namespace splitbench

// Intervals of a mean over sessions by the methods that the field uses, to be set beside Student's
// t of model/statistics.h. Nothing here serves a result.
//
// Sources: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap" (1993), chapters 12 to 14:
// bootstrap-t, percentile, BCa; Kalibera and Jones, "Rigorous benchmarking in reasonable time",
// ISMM 2013: resampling level by level.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/random.h"
#include "model/statistics.h"

namespace splitbench::proof {

// Sessions drawn with replacement, as often as there are: of each such sample its mean and its
// standard error.
struct Resamples {
  std::vector<double> means;
  std::vector<double> errors;
};
Resamples resampled(std::span<const double> sessions, std::size_t count, Random& random);

// Means over sessions drawn with replacement of the median of their rounds, likewise drawn.
std::vector<double> hierarchically_resampled(std::span<const std::vector<double>> sessions,
                                             std::size_t count, Random& random);

// The middle `confidence` of the values.
Interval percentile_interval(std::vector<double> values, double confidence);

// Bias-corrected and accelerated: percentiles moved by how far the means lie off the estimate, and
// by the skewness of the sessions.
Interval bca_interval(std::span<const double> sessions, std::vector<double> means,
                      double confidence);

// mean - q s: q of the studentised resamples. Resamples whose sessions are all equal are left out.
Interval bootstrap_t_interval(std::span<const double> sessions, const Resamples& resamples,
                              double confidence);

// By order statistics of values that are taken for independent: the j-th to the k-th, j = floor(n/2
// - z sqrt(n)/2), k = ceil(n/2 + 1 + z sqrt(n)/2). J.-Y. Le Boudec, "Performance Evaluation of
// Computer and Communication Systems" (2010), section 2.2.
Interval independent_median_interval(std::vector<double> values, double confidence);

// Acceleration of the mean: its jackknife's skewness over six, sum d^3 / (6 (sum d^2)^1.5).
double acceleration(std::span<const double> sessions);

}  // namespace splitbench::proof

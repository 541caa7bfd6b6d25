// What many values say of one: medians and quantiles of samples, means over sessions with t
// intervals. The session is the unit of every interval: samples inside one are correlated.
//
// Everything here throws InvalidInput where a value is not finite. Source: docs/methodology.md,
// "Estimates".
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "model/answer.h"

namespace splitbench {

struct Interval {
  double low = 0.0;
  double high = 0.0;

  bool contains(double value) const { return low <= value && value <= high; }
  bool inside(Interval outer) const { return outer.low <= low && high <= outer.high; }

  friend bool operator==(const Interval&, const Interval&) = default;
};

// Of an even number of values the mean of the two in the middle. Throws InvalidInput for none.
double median(std::vector<double> values);

// Nearest rank: the smallest value that at least `share` of them do not exceed, always one of the
// values. `sorted` ascending, not empty; share in [0, 1].
double quantile(std::span<const double> sorted, double share);

// logarithmic: a mean of logarithms, shown as its exponential (a geometric mean); its interval is
// that of the logarithms, and session_sd is relative (0.02 is 2 %).
enum class Scale { linear, logarithmic };

// A number estimated from one value per session.
struct Estimate {
  double value = 0.0;
  Scale scale = Scale::linear;
  std::size_t sessions = 0;
  double session_sd = 0.0;  // on its scale; 0 of a single session
  Answer<Interval> interval = Answer<Interval>::none("not estimated");

  friend bool operator==(const Estimate& a, const Estimate& b) {
    return a.value == b.value && a.scale == b.scale && a.sessions == b.sessions &&
           a.session_sd == b.session_sd && a.interval.has_value() == b.interval.has_value() &&
           (!a.interval || *a.interval == *b.interval);
  }
};

// What a field holds until it is estimated.
inline Answer<Estimate> not_estimated() {
  return Answer<Estimate>::none("not estimated");
}

// Mean with Student's t interval. One session has a value and no interval; no session has neither,
// and the reason begins with `what`, the name of the estimated thing.
Answer<Estimate> mean(std::span<const double> sessions, double confidence, std::string_view what);

// The same of the logarithms. Where a value is not above 0 it has none: the mean on the linear
// scale is given instead, and says so by its scale.
Answer<Estimate> log_mean(std::span<const double> sessions, double confidence,
                          std::string_view what);

// The root mean square of `errors`, and the value that the true one exceeds with probability
// 1 - confidence: rms sqrt(n / chi2_{1-confidence, n}), for errors normal around 0.
struct RootMeanSquare {
  double value = 0.0;
  double upper_limit = 0.0;
};
RootMeanSquare root_mean_square(std::span<const double> errors, double confidence);

}  // namespace splitbench

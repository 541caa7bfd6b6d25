#include "harness/proof/proportion.h"

#include <boost/math/distributions/binomial.hpp>

namespace splitbench::proof {

Interval binomial_interval(const Proportion& proportion, double confidence) {
  using Binomial = boost::math::binomial_distribution<>;
  if (proportion.trials == 0) return {0.0, 1.0};
  const auto trials = static_cast<double>(proportion.trials);
  const auto hits = static_cast<double>(proportion.hits);
  const double each_side = (1.0 - confidence) / 2.0;
  return {Binomial::find_lower_bound_on_p(trials, hits, each_side),
          Binomial::find_upper_bound_on_p(trials, hits, each_side)};
}

}  // namespace splitbench::proof

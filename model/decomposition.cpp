#include "model/decomposition.h"

#include <algorithm>
#include <cmath>

namespace splitbench {
namespace {

// Below it the quotient of two differences loses more digits than the series leaves out.
constexpr double kNearlyEqual = 1e-4;

}  // namespace

double logarithmic_mean(double a, double b) {
  const double excess = a / b - 1.0;
  // x / ln(1 + x) = 1 + x/2 - x^2/12 + x^3/24 - ...
  if (std::abs(excess) < kNearlyEqual) {
    return b * (1.0 + excess / 2.0 - excess * excess / 12.0 + excess * excess * excess / 24.0);
  }
  return (a - b) / std::log1p(excess);
}

Term weighted_term(std::string_view name, const std::vector<double>& sessions,
                   const std::vector<double>& weights, double whole, double confidence) {
  std::vector<double> shares(sessions.size());
  std::transform(sessions.begin(), sessions.end(), weights.begin(), shares.begin(),
                 [whole](double term, double weight) { return whole * (term / weight); });
  return {.name = name, .amount = mean(shares, confidence, name)};
}

}  // namespace splitbench

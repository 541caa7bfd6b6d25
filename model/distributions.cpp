#include "model/distributions.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

void require_domain(double probability, int degrees_of_freedom) {
  if (!(probability > 0.0 && probability < 1.0)) {
    throw InvalidInput("probability", "expected a value above 0 and below 1");
  }
  if (degrees_of_freedom < 1) {
    throw InvalidInput("degrees_of_freedom", "expected at least 1");
  }
}

}  // namespace

double student_quantile(double probability, int degrees_of_freedom) {
  require_domain(probability, degrees_of_freedom);
  return quantile(boost::math::students_t(degrees_of_freedom), probability);
}

double chi_square_quantile(double probability, int degrees_of_freedom) {
  require_domain(probability, degrees_of_freedom);
  return quantile(boost::math::chi_squared(degrees_of_freedom), probability);
}

}  // namespace splitbench

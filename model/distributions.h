// Quantiles of the two distributions that intervals and limits are made from.
#pragma once

namespace splitbench {

// x with P(T <= x) = probability, T of Student's t distribution. Throws InvalidInput for a
// probability outside (0, 1) or fewer than 1 degree of freedom; so does the other.
double student_quantile(double probability, int degrees_of_freedom);
double chi_square_quantile(double probability, int degrees_of_freedom);

}  // namespace splitbench

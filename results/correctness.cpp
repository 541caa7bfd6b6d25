#include "results/correctness.h"

namespace splitbench {

Correctness worst_of(const Correctness& first, const Correctness& second) {
  Correctness worst = first;
  worst.exact_example_passed &= second.exact_example_passed;
  worst.exact_integers_passed &= second.exact_integers_passed;
  worst.negative_control_failed &= second.negative_control_failed;
  worst.ranks_agree &= second.ranks_agree;
  worst.within_bound &= second.within_bound;
  worst.bound_informative &= second.bound_informative;
  if (worst.failure.empty()) worst.failure = second.failure;
  if (worst.checksum != second.checksum) worst.checksum.clear();
  if (second.max_error > worst.max_error) {
    worst.max_error = second.max_error;
    worst.error_bound = second.error_bound;
  }
  return worst;
}

}  // namespace splitbench

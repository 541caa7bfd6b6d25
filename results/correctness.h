// Whether what is timed computes what it should.
#pragma once

#include <string>

namespace splitbench {

// Whether the numbers of a point may be believed at all. See docs/rules.md "Correctness".
struct Correctness {
  bool exact_example_passed = false;
  bool exact_integers_passed = false;
  bool negative_control_failed = false;  // ReLU after the sum was caught, as it must be
  bool ranks_agree = false;              // bit for bit, after the collective
  double max_error = 0.0;                // largest |y - reference| on random data
  double error_bound = 0.0;              // the largest bound of any element
  bool within_bound = false;             // every element within its own bound
  bool bound_informative = false;        // largest bound below half the root mean square of y
  std::string reference;                 // "float64 product on this device"
  std::string failure;                   // the first thing that was wrong; empty if nothing was
  std::string checksum;  // of every result on every rank; equal bits, equal checksum. May be empty

  // A bound that is not informative makes the random data no check, and leaves the exact ones.
  bool passed() const {
    return exact_example_passed && exact_integers_passed && negative_control_failed && within_bound;
  }
  friend bool operator==(const Correctness&, const Correctness&) = default;
};

// Passed where both did, with the larger error and the first failure.
Correctness worst_of(const Correctness& first, const Correctness& second);

}  // namespace splitbench

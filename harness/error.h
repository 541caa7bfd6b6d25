// Faults of the environment or during a run.
#pragma once

#include <stdexcept>

namespace splitbench {

// The message names rank, phase and cause, as far as they are known.
class HarnessError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace splitbench

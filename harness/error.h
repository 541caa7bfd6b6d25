// Faults of the environment or during a run.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace splitbench {

// The message names rank, phase and cause, as far as they are known.
class HarnessError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What was asked cannot be done in this environment: why, and the line that mends it.
class CannotRunHere : public HarnessError {
 public:
  CannotRunHere(std::string reason, std::string mend)
      : HarnessError(reason + "\nTo mend it: " + mend),
        reason_(std::move(reason)),
        mend_(std::move(mend)) {}

  const std::string& reason() const { return reason_; }
  const std::string& mend() const { return mend_; }

 private:
  std::string reason_;
  std::string mend_;
};

}  // namespace splitbench

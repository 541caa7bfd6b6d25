// How long a visit of each step takes here: seen by rank 0 while it warms up, used for repeats and
// for the budget.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>

#include "model/quantity.h"
#include "protocols/plan.h"

namespace splitbench {

// Point, arm, message bytes (0: none), whether one rank runs it alone: steps that take the same
// time. Which device runs a one-rank step does not matter here.
using StepKind = std::tuple<std::size_t, Arm, double, bool>;

inline StepKind kind_of(const Step& step) {
  return {step.point, step.arm, step.message ? step.message->value() : 0.0,
          step.device.has_value()};
}

class StepCosts {
 public:
  void set(const StepKind& kind, Seconds visit) { visits_[kind] = visit; }

  // The latest visit, all its repeats; nothing of a step that was not seen.
  Seconds of(const Step& step) const {
    const auto known = visits_.find(kind_of(step));
    return known == visits_.end() ? Seconds(0) : known->second;
  }
  const std::map<StepKind, Seconds>& all() const { return visits_; }

 private:
  std::map<StepKind, Seconds> visits_;
};

}  // namespace splitbench

// The sweeps of all sessions as one, for finding where the collective's line breaks: a break is of
// the library, not of a session, and noise that one session has hides it.
#pragma once

#include <span>
#include <vector>

#include "model/collective_fit.h"

namespace splitbench {

struct PooledSweep {
  std::vector<SizeTime> times;  // geometric means over sessions
  // The relative standard deviation of such a mean apart from what all sizes of a session share; 0
  // where one session tells nothing of it.
  double noise = 0.0;
};

// Of the sessions that have the sizes of the one with most of them, each time above 0.
PooledSweep pool(std::span<const std::vector<SizeTime>> sessions);

}  // namespace splitbench

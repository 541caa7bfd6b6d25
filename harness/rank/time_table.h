// The table of times in a session's shared memory: how the samples of one step get from all ranks
// into a Block on rank 0.
//
// A rank's column holds one row per repeat: the whole, then each stamped layer, in seconds. A rank
// that has no time for a repeat (it started too early) says so with NaN, and the repeat counts for
// no rank.
#pragma once

#include "harness/rank/shared_region.h"
#include "model/measurements.h"
#include "protocols/plan.h"

namespace splitbench {

// On rank 0, once every rank has written `repeats` rows. Throws HarnessError where no repeat is
// left.
Block block_from_times(SharedRegion& region, const Step& step, int repeats, int layers);

}  // namespace splitbench

// The entry of a rank process: `splitbench rank`, started by the supervisor and by nobody else.
#pragma once

#include <sys/types.h>

namespace splitbench {

// What the supervisor leaves open in every rank process.
inline constexpr int kRegionFd = 3;  // the session's shared memory
inline constexpr int kReportFd = 4;  // to the supervisor; closes when this process ends
inline constexpr int kOrdersFd = 5;  // from the supervisor; rank 0 only

// Runs the session as `rank`; ends when `parent` does. Returns an exit status: 0, or 5 after a
// fault, which was reported.
int run_rank_process(int rank, pid_t parent);

}  // namespace splitbench

// ncclGroupStart ... ncclGroupEnd: what is asked for in between is done at the end, in order.
#pragma once

#include <nccl.h>

#include <functional>

namespace splitbench::standin {

// One of the calling thread's requests.
struct Request {
  std::function<ncclResult_t()> start;
  double estimated_seconds = 0;
};

void begin_group();

// Done now, or, inside a group, at its end.
ncclResult_t submit(Request request);

// Ends the innermost group, and with the outermost one does what is waiting: the first error, or
// success; ncclInvalidUsage outside groups. *estimated_seconds: the sum of the requests' own.
ncclResult_t end_group(double* estimated_seconds);

}  // namespace splitbench::standin

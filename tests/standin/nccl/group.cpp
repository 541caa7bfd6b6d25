#include "tests/standin/nccl/group.h"

#include <utility>
#include <vector>

namespace splitbench::standin {
namespace {

thread_local int depth = 0;
thread_local std::vector<Request> waiting;

}  // namespace

void begin_group() {
  ++depth;
}

ncclResult_t submit(Request request) {
  if (depth == 0) return request.start();
  waiting.push_back(std::move(request));
  return ncclSuccess;
}

ncclResult_t end_group(double* estimated_seconds) {
  *estimated_seconds = 0;
  if (depth == 0) return ncclInvalidUsage;
  if (--depth > 0) return ncclSuccess;
  ncclResult_t first_error = ncclSuccess;
  for (const Request& request : std::exchange(waiting, {})) {
    *estimated_seconds += request.estimated_seconds;
    const ncclResult_t result = request.start();
    if (first_error == ncclSuccess) first_error = result;
  }
  return first_error;
}

}  // namespace splitbench::standin

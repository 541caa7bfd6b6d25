// Kernels run on host memory between guard pages: leaving it is a signal here, and an illegal
// address for the device.
#pragma once

#include <csetjmp>
#include <functional>

namespace splitbench::standin {

// Runs it; false when it touched memory that is not there. What it held then leaks: kernels hold
// nothing.
bool runs_within_memory(const std::function<void()>& body);

// Where the calling thread lands after an illegal access. A fiber takes its own along when it
// pauses.
sigjmp_buf* landing();
void set_landing(sigjmp_buf* place);

}  // namespace splitbench::standin

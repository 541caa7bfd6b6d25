// What a kernel reaches at every step, one of each for every CPU thread. They make a small library
// of their own, so that they get a fixed place (initial-exec) even where the stand-ins are loaded
// late: any other place is found by a call, which sanitizers intercept, and that took half of the
// time of the kernels.
#pragma once

#include <cuda_runtime_api.h>

#include <csetjmp>

#define STANDIN_NEAR [[gnu::tls_model("initial-exec")]] extern constinit thread_local

// CUDA's built-in variables: where the running thread stands.
STANDIN_NEAR uint3 threadIdx;
STANDIN_NEAR uint3 blockIdx;
STANDIN_NEAR dim3 blockDim;
STANDIN_NEAR dim3 gridDim;

namespace splitbench::standin {

class Team;
class Turn;

STANDIN_NEAR Team* team_at_work;         // whose threads run; null: threads that do not meet
STANDIN_NEAR sigjmp_buf* place_to_land;  // after an illegal access; null: outside of kernels
STANDIN_NEAR Turn* turn_of_thread;       // of the running kernel

}  // namespace splitbench::standin

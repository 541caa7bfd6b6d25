// What an error of the vendor's libraries means to a person: one sentence, and the line that mends
// it, where there is one.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "harness/backends/cuda/runtime.h"

namespace splitbench::cuda {

struct Fault {
  std::string sentence;
  std::string mend;  // empty where nothing general can be said
};

// Names the versions where they matter.
Fault explain(cudaError_t error, const RuntimeVersions& versions);

// "cudaMalloc: out of memory (2, cudaErrorMemoryAllocation). To mend it: ..."
std::string fault_text(const char* what, cudaError_t error, const Fault& fault);

}  // namespace splitbench::cuda

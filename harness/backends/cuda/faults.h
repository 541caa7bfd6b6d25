// What an error of the vendor's libraries means to a person: one sentence, and the line that mends
// it, where there is one.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace splitbench::cuda {

struct Fault {
  std::string sentence;
  std::string mend;  // empty where nothing general can be said
};

// `context` names both versions where they matter: "driver supports CUDA 12.2, built for 13.0".
Fault explain(cudaError_t error, const std::string& versions);

// "cudaMalloc: out of memory (2, cudaErrorMemoryAllocation). To mend it: ..."
std::string fault_text(const char* what, cudaError_t error, const Fault& fault);

}  // namespace splitbench::cuda

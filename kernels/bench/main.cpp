// splitbench-kernels-bench: the kernels, the products by cuBLASLt and the all-reduce by NCCL, each
// alone. All options are Google Benchmark's (--benchmark_filter, --benchmark_format=json, ...).
#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>

#include "kernels/bench/device.h"

namespace {

constexpr int kCannotRunHere = 3;  // as splitbench's own exit codes
constexpr int kFault = 5;

}  // namespace

int main(int argc, char** argv) {
  using namespace splitbench::kernels::bench;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  int devices = 0;
  const cudaError_t answer = cudaGetDeviceCount(&devices);
  if (answer != cudaSuccess || devices == 0) {
    std::fprintf(stderr,
                 "splitbench-kernels-bench: no CUDA device can be used here (%s). It needs an "
                 "NVIDIA GPU and its driver.\n",
                 cudaGetErrorString(answer));
    return kCannotRunHere;
  }
  try {
    register_kernels();
    register_matmuls();
    register_all_reduces(devices);
    benchmark::RunSpecifiedBenchmarks();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "splitbench-kernels-bench: %s\n", error.what());
    return kFault;
  }
  return 0;
}

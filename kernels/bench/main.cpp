// splitbench-kernels-bench: the kernels, the products by cuBLASLt and the all-reduce by NCCL, each
// alone. Options are Google Benchmark's (--benchmark_filter, --benchmark_format=json, ...), and
// --matmul=TOKENSxWIDTHxDEPTH, once for each product that is wanted instead of those built in.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/bench/device.h"

namespace {

using namespace splitbench::kernels::bench;

constexpr int kUsage = 2;  // as splitbench's own exit codes
constexpr int kCannotRunHere = 3;
constexpr int kFault = 5;

Shape shape_from(const std::string& text) {
  Shape shape{};
  int read = 0;
  const int numbers = std::sscanf(text.c_str(), "%" SCNd64 "x%" SCNd64 "x%" SCNd64 "%n",
                                  &shape.tokens, &shape.width, &shape.depth, &read);
  if (numbers != 3 || static_cast<std::size_t>(read) != text.size() ||
      std::min({shape.tokens, shape.width, shape.depth}) < 1) {
    throw std::invalid_argument("'" + text + "': expected TOKENSxWIDTHxDEPTH, as 16x4096x14336");
  }
  return shape;
}

// Takes the products out of the arguments.
std::vector<Shape> take_shapes(int& argc, char** argv) {
  constexpr std::string_view kOption = "--matmul=";
  std::vector<Shape> shapes;
  char** const end = std::remove_if(argv + 1, argv + argc, [&](const char* argument) {
    if (std::string_view(argument).substr(0, kOption.size()) != kOption) return false;
    shapes.push_back(shape_from(argument + kOption.size()));
    return true;
  });
  argc = static_cast<int>(end - argv);
  return shapes;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Shape> shapes;
  try {
    shapes = take_shapes(argc, argv);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "splitbench-kernels-bench: %s\n", error.what());
    return kUsage;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return kUsage;
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
    register_matmuls(shapes);
    register_all_reduces(devices);
    benchmark::RunSpecifiedBenchmarks();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "splitbench-kernels-bench: %s\n", error.what());
    return kFault;
  }
  return 0;
}

// Kernel launches of the runtime, and what the code that nvcc generates calls to get there.
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/standin/cudart/report.h"
#include "tests/standin/device.h"
#include "tests/standin/fault.h"
#include "tests/standin/kernel.h"

using namespace splitbench::standin;

namespace {

constexpr unsigned kMostBlocksAcross = 65535;  // in y and z
constexpr unsigned kMostThreadsDeep = 64;
constexpr std::size_t kMostSharedBytes = std::size_t{227} << 10;
constexpr int kRegisters = 32;
constexpr int kThreadsOfMultiprocessor = 2048;

// Mangled names by the host's stubs.
struct Stubs {
  std::mutex mutex;
  std::map<const void*, std::string> names;
};

Stubs& stubs() {
  static Stubs& stubs = *new Stubs;
  return stubs;
}

const Kernel* kernel_of(const void* stub) {
  const std::lock_guard lock(stubs().mutex);
  const auto found = stubs().names.find(stub);
  if (found == stubs().names.end()) return nullptr;
  const Kernel* kernel = find_kernel(found->second);
  if (kernel == nullptr) {
    std::fprintf(stderr, "stand-in: no body for the kernel %s\n", found->second.c_str());
  }
  return kernel;
}

bool is_possible(dim3 grid, dim3 block, std::size_t shared_bytes) {
  const std::size_t threads = std::size_t{block.x} * block.y * block.z;
  return grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.y <= kMostBlocksAcross &&
         grid.z <= kMostBlocksAcross && threads > 0 && threads <= kMostThreadsOfBlock &&
         block.z <= kMostThreadsDeep && shared_bytes <= kMostSharedBytes;
}

cudaError_t launch(const void* stub, dim3 grid, dim3 block, void** arguments,
                   std::size_t shared_bytes, cudaStream_t stream) {
  if (const cudaError_t error = refusal()) return error;
  const Kernel* kernel = kernel_of(stub);
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  if (find_fault("no-kernel-image", current_device()) != nullptr) {
    return cudaErrorNoKernelImageForDevice;
  }
  if (!is_possible(grid, block, shared_bytes)) return cudaErrorInvalidConfiguration;
  if (device_of(stream) != current_device()) return cudaErrorInvalidResourceHandle;
  return enqueue(stream, launch_operation(*kernel, grid, block, arguments));
}

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

thread_local std::vector<Configuration> configurations;

}  // namespace

// Names that nvcc gives. NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;  // one will do: kernels are found by name
  return &handle;
}

void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) {
  return 1;
}

void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

void __cudaRegisterFunction(void**, const char* stub, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  const std::lock_guard lock(stubs().mutex);
  stubs().names[stub] = name;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_bytes,
                                     CUstream_st* stream) {
  configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared_bytes,
                                       void* stream) {
  if (configurations.empty()) return report(cudaErrorMissingConfiguration);
  const Configuration last = configurations.back();
  configurations.pop_back();
  *grid = last.grid;
  *block = last.block;
  *shared_bytes = last.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  return cudaSuccess;
}

// A kernel's handle is its stub's address.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(stub));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared_bytes, cudaStream_t stream) {
  return report(launch(kernel, grid, block, arguments, shared_bytes, stream));
}
// NOLINTEND(bugprone-reserved-identifier)

cudaError_t cudaLaunchKernel(const void* stub, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes, cudaStream_t stream) {
  return report(launch(stub, grid, block, arguments, shared_bytes, stream));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* stub, void** arguments) {
  if (how == nullptr) return report(cudaErrorInvalidValue);
  return report(
      launch(stub, how->gridDim, how->blockDim, arguments, how->dynamicSmemBytes, how->stream));
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
  STANDIN_NEEDS_DEVICE();
  if (attributes == nullptr) return report(cudaErrorInvalidValue);
  if (kernel_of(stub) == nullptr) return report(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->maxThreadsPerBlock = static_cast<int>(kMostThreadsOfBlock);
  attributes->numRegs = kRegisters;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* stub, cudaFuncAttribute, int) {
  STANDIN_NEEDS_DEVICE();
  return report(kernel_of(stub) == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub,
                                                                   int threads, std::size_t,
                                                                   unsigned) {
  STANDIN_NEEDS_DEVICE();
  if (blocks == nullptr || threads <= 0) return report(cudaErrorInvalidValue);
  if (kernel_of(stub) == nullptr) return report(cudaErrorInvalidDeviceFunction);
  *blocks = kThreadsOfMultiprocessor / threads;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub,
                                                          int threads, std::size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, stub, threads, shared_bytes,
                                                                0);
}
}

// Memory of the runtime: on devices, pinned, and mapped from the host.
#include "tests/standin/memory.h"

#include <algorithm>

#include "tests/standin/capture.h"
#include "tests/standin/cudart/report.h"
#include "tests/standin/device.h"
#include "tests/standin/fault.h"

using namespace splitbench::standin;

namespace {

cudaError_t take(void** memory, int device, std::size_t bytes) {
  *memory = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (strike("out-of-memory", device) != nullptr) return cudaErrorMemoryAllocation;
  *memory = allocate_device(device, bytes);
  return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  STANDIN_NEEDS_DEVICE();
  STANDIN_BREAKS_CAPTURE();
  if (memory == nullptr) return report(cudaErrorInvalidValue);
  return report(take(memory, current_device(), bytes));
}

cudaError_t cudaFree(void* memory) {
  STANDIN_NEEDS_DEVICE();
  if (memory == nullptr) return cudaSuccess;
  if (const cudaError_t error = cudaDeviceSynchronize()) return error;
  const bool released = release(memory, cudaMemoryTypeDevice, false);
  return report(released ? cudaSuccess : cudaErrorInvalidValue);
}

// In order with the stream only as far as a program can tell: the memory is there at once.
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t stream) {
  STANDIN_NEEDS_DEVICE();
  if (memory == nullptr) return report(cudaErrorInvalidValue);
  if (is_capturing(stream)) return report(cudaErrorNotSupported);
  return report(take(memory, device_of(stream), bytes));
}

cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  STANDIN_NEEDS_DEVICE();
  if (!find_allocation(memory)) return report(cudaErrorInvalidValue);
  if (is_capturing(stream)) return report(cudaErrorNotSupported);
  return report(
      enqueue(stream, {.kind = Kind::bookkeeping, .name = "free", .body = [memory](Turn&) {
                         release(memory, cudaMemoryTypeDevice, false);
                       }}));
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  STANDIN_NEEDS_DEVICE();
  STANDIN_BREAKS_CAPTURE();
  if (memory == nullptr || bytes == 0) return report(cudaErrorInvalidValue);
  *memory = allocate_host(current_device(), bytes);
  return report(*memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  return cudaHostAlloc(memory, bytes, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void* memory) {
  STANDIN_NEEDS_DEVICE();
  if (memory == nullptr) return cudaSuccess;
  if (const cudaError_t error = cudaDeviceSynchronize()) return error;
  const bool released = release(memory, cudaMemoryTypeHost, false);
  return report(released ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned) {
  STANDIN_NEEDS_DEVICE();
  STANDIN_BREAKS_CAPTURE();
  if (memory == nullptr || bytes == 0) return report(cudaErrorInvalidValue);
  return report(register_host(current_device(), memory, bytes));
}

cudaError_t cudaHostUnregister(void* memory) {
  STANDIN_NEEDS_DEVICE();
  const bool released = release(memory, cudaMemoryTypeHost, true);
  return report(released ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  STANDIN_NEEDS_DEVICE();
  const auto allocation = find_allocation(host);
  const bool is_host = allocation && allocation->type == cudaMemoryTypeHost;
  if (device == nullptr || flags != 0 || !is_host) return report(cudaErrorInvalidValue);
  *device = host;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  STANDIN_NEEDS_DEVICE();
  if (attributes == nullptr) return report(cudaErrorInvalidValue);
  *attributes = {};
  const auto allocation = find_allocation(pointer);
  void* address = const_cast<void*>(pointer);
  attributes->type = allocation ? allocation->type : cudaMemoryTypeUnregistered;
  attributes->device = allocation ? ordinal_of(allocation->device) : -2;
  attributes->devicePointer = allocation ? address : nullptr;
  attributes->hostPointer = attributes->type == cudaMemoryTypeDevice ? nullptr : address;
  return cudaSuccess;
}
}

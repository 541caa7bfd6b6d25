// Devices of the runtime: how many, what they are, which one, and who reaches whom.
#include <algorithm>
#include <cstring>
#include <string>

#include "tests/standin/block.h"
#include "tests/standin/capture.h"
#include "tests/standin/cudart/report.h"
#include "tests/standin/device.h"
#include "tests/standin/memory.h"
#include "tests/standin/scenario.h"
#include "tests/standin/truth.h"

using namespace splitbench::standin;

namespace {

constexpr int kMajor = 9;
constexpr int kMinor = 0;
constexpr int kMultiprocessors = 4;  // few: every block costs CPU time
constexpr int kCacheBytes = 1 << 20;
constexpr int kSharedBytes = 48 << 10;
constexpr int kOldDriver = 12040;  // what fault driver-mismatch has installed

// The device that the program calls by this ordinal.
int seen_as(int ordinal) {
  return visible_devices()[static_cast<std::size_t>(ordinal)];
}

cudaError_t wait_for_device(int device) {
  std::vector<std::shared_ptr<Completion>> pending;
  {
    const std::lock_guard lock(stream_mutex());
    for (const Stream* stream : streams_of(device)) pending.push_back(stream->last());
  }
  for (const auto& completion : pending) wait_on_host(*completion);
  return sticky_error(device);
}

}  // namespace

extern "C" {

// How programs tell that these are stand-ins; what it returns stays until the thread's next call.
const char* splitbench_standin_truth() {
  thread_local std::string text;
  text = truth_json();
  return text.c_str();
}

cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return report(cudaErrorInvalidValue);
  *count = environment_error() == cudaSuccess ? static_cast<int>(visible_devices().size()) : 0;
  return report(environment_error());
}

cudaError_t cudaSetDevice(int ordinal) {
  if (const cudaError_t error = environment_error()) return report(error);
  if (!is_device(ordinal)) return report(cudaErrorInvalidDevice);
  const int device = seen_as(ordinal);
  set_current_device(device);
  return report(sticky_error(device));
}

cudaError_t cudaGetDevice(int* device) {
  if (device == nullptr) return report(cudaErrorInvalidValue);
  *device = ordinal_of(current_device());
  return report(environment_error());
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int ordinal) {
  if (const cudaError_t error = environment_error()) return report(error);
  if (properties == nullptr) return report(cudaErrorInvalidValue);
  if (!is_device(ordinal)) return report(cudaErrorInvalidDevice);
  const int device = seen_as(ordinal);
  *properties = {};
  const std::string name = device_name(device);
  name.copy(properties->name, sizeof properties->name - 1);
  const auto uuid = device_uuid(device);
  std::memcpy(properties->uuid.bytes, uuid.data(), uuid.size());
  properties->pciBusID = pci_bus(device);
  properties->totalGlobalMem = scenario().memory_bytes;
  properties->major = kMajor;
  properties->minor = kMinor;
  properties->multiProcessorCount = kMultiprocessors;
  properties->l2CacheSize = kCacheBytes;
  properties->warpSize = static_cast<int>(kWarpThreads);
  properties->maxThreadsPerBlock = static_cast<int>(kMostThreadsOfBlock);
  properties->maxThreadsPerMultiProcessor = 2 * static_cast<int>(kMostThreadsOfBlock);
  properties->sharedMemPerBlock = kSharedBytes;
  properties->concurrentKernels = 1;
  properties->unifiedAddressing = 1;
  properties->canMapHostMemory = 1;
  properties->asyncEngineCount = 2;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (const cudaError_t error = environment_error()) return report(error);
  if (value == nullptr) return report(cudaErrorInvalidValue);
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor:
      *value = kMajor;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = kMinor;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = kMultiprocessors;
      break;
    case cudaDevAttrL2CacheSize:
      *value = kCacheBytes;
      break;
    case cudaDevAttrWarpSize:
      *value = static_cast<int>(kWarpThreads);
      break;
    case cudaDevAttrMaxThreadsPerBlock:
      *value = static_cast<int>(kMostThreadsOfBlock);
      break;
    case cudaDevAttrPciBusId:
      *value = pci_bus(seen_as(device));
      break;
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
      *value = 1;
      break;
    default:
      *value = 0;
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  if (const cudaError_t error = environment_error()) return report(error);
  if (!is_device(device)) return report(cudaErrorInvalidDevice);
  const std::string id = pci_bus_id(seen_as(device));
  if (text == nullptr || length <= static_cast<int>(id.size())) {
    return report(cudaErrorInvalidValue);
  }
  text[id.copy(text, id.size())] = '\0';
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  if (const cudaError_t error = environment_error()) return report(error);
  if (device == nullptr || text == nullptr) return report(cudaErrorInvalidValue);
  for (const int candidate : visible_devices()) {
    if (pci_bus_id(candidate) != text) continue;
    *device = ordinal_of(candidate);
    return cudaSuccess;
  }
  return report(cudaErrorInvalidDevice);
}

cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return report(cudaErrorInvalidValue);
  *version = find_fault("driver-mismatch", -1) != nullptr ? kOldDriver : CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return report(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  STANDIN_NEEDS_DEVICE();
  STANDIN_BREAKS_CAPTURE();
  return report(wait_for_device(current_device()));
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  STANDIN_NEEDS_DEVICE();
  if (free == nullptr || total == nullptr) return report(cudaErrorInvalidValue);
  *total = scenario().memory_bytes;
  *free = *total - device_bytes_in_use(current_device());
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  STANDIN_NEEDS_DEVICE();
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (const cudaError_t error = environment_error()) return report(error);
  if (can == nullptr) return report(cudaErrorInvalidValue);
  if (!is_device(device) || !is_device(peer)) return report(cudaErrorInvalidDevice);
  *can = peers_possible(seen_as(device), seen_as(peer)) ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  STANDIN_NEEDS_DEVICE();
  if (flags != 0) return report(cudaErrorInvalidValue);
  if (!is_device(peer)) return report(cudaErrorInvalidDevice);
  const int device = seen_as(peer);
  if (!peers_possible(current_device(), device)) return report(cudaErrorPeerAccessUnsupported);
  return report(enable_peers(current_device(), device) ? cudaSuccess
                                                       : cudaErrorPeerAccessAlreadyEnabled);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  STANDIN_NEEDS_DEVICE();
  if (!is_device(peer)) return report(cudaErrorInvalidDevice);
  return report(disable_peers(current_device(), seen_as(peer)) ? cudaSuccess
                                                               : cudaErrorPeerAccessNotEnabled);
}
}

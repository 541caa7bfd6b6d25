// Exported: PCIe, NVLink and what lies between two devices.
#include "tests/standin/device.h"
#include "tests/standin/fault.h"
#include "tests/standin/nvml/handle.h"
#include "tests/standin/nvml/links.h"
#include "tests/standin/nvml/pci.h"

namespace splitbench::standin {
namespace {

constexpr unsigned kPcieGeneration = 5;
constexpr unsigned kPcieWidth = 16;
constexpr unsigned kNvLinkVersion = 4;
constexpr unsigned kMegabytesPerS = 25000;  // of one link of version 4, one way
constexpr int kErrorCounters = 5;
constexpr int kSameNode = 40;   // NVML_TOPOLOGY_NODE
constexpr int kSameDevice = 0;  // NVML_TOPOLOGY_INTERNAL
constexpr int kRemoteIsGpu = 0;
constexpr int kP2pOk = 0;
constexpr int kP2pChipsetNotSupported = 1;
constexpr int kP2pCapabilities = 6;

// For calls about one link: INVALID_ARGUMENT behind the last one, NOT_SUPPORTED without links.
template <class Value, class Function>
nvmlReturn_t answer_link(nvmlDevice_t handle, unsigned link, Value* to, Function value) {
  int device = 0;
  const nvmlReturn_t found = look_up_optional(handle, &device);
  if (found != NVML_SUCCESS) return found;
  if (device_count() < 2) return NVML_ERROR_NOT_SUPPORTED;
  if (link >= kLinksPerDevice || to == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  *to = static_cast<Value>(value(device));
  return NVML_SUCCESS;
}

template <class Value, class Function>
nvmlReturn_t answer_pair(nvmlDevice_t left, nvmlDevice_t right, Value* to, Function value) {
  int device = 0;
  int other = 0;
  nvmlReturn_t found = look_up_optional(left, &device);
  if (found == NVML_SUCCESS) found = look_up_optional(right, &other);
  if (found != NVML_SUCCESS) return found;
  if (to == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  *to = static_cast<Value>(value(device, other));
  return NVML_SUCCESS;
}

}  // namespace

int link_peer(int device, unsigned link) {
  const int others = device_count() - 1;
  if (others < 1) return -1;
  const int turn = static_cast<int>(link) % others;
  return turn < device ? turn : turn + 1;
}

bool link_is_up(int device, unsigned link) {
  return peers_possible(device, link_peer(device, link));
}

unsigned link_megabytes_per_s(int device) {
  const Fault* fault = find_fault("slow-link", device);
  return static_cast<unsigned>(kMegabytesPerS /
                               (fault == nullptr ? 1 : fault->number("factor", 10)));
}

}  // namespace splitbench::standin

using namespace splitbench::standin;

extern "C" {

nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t handle, unsigned* generation) {
  return answer(look_up_optional, handle, generation, [](int) { return kPcieGeneration; });
}

nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t handle, unsigned* width) {
  return answer(look_up_optional, handle, width, [](int) { return kPcieWidth; });
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t handle, unsigned* generation) {
  return answer(look_up_optional, handle, generation, [](int) { return kPcieGeneration; });
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t handle, unsigned* width) {
  return answer(look_up_optional, handle, width, [](int) { return kPcieWidth; });
}

nvmlReturn_t nvmlDeviceGetGpuMaxPcieLinkGeneration(nvmlDevice_t handle, unsigned* generation) {
  return answer(look_up_optional, handle, generation, [](int) { return kPcieGeneration; });
}

nvmlReturn_t nvmlDeviceGetPcieReplayCounter(nvmlDevice_t handle, unsigned* count) {
  return answer(look_up_optional, handle, count, [](int) { return 0; });
}

nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t handle, unsigned link, int* active) {
  return answer_link(handle, link, active, [=](int device) { return link_is_up(device, link); });
}

nvmlReturn_t nvmlDeviceGetNvLinkVersion(nvmlDevice_t handle, unsigned link, unsigned* version) {
  return answer_link(handle, link, version, [](int) { return kNvLinkVersion; });
}

nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t handle, unsigned link,
                                                 nvmlPciInfo_t* info) {
  return answer_link(handle, link, info,
                     [=](int device) { return pci_info(link_peer(device, link)); });
}

nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t handle, unsigned link, int* type) {
  return answer_link(handle, link, type, [](int) { return kRemoteIsGpu; });
}

nvmlReturn_t nvmlDeviceGetNvLinkErrorCounter(nvmlDevice_t handle, unsigned link, int counter,
                                             unsigned long long* errors) {
  if (counter < 0 || counter >= kErrorCounters) return NVML_ERROR_INVALID_ARGUMENT;
  return answer_link(handle, link, errors, [](int) { return 0; });
}

nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t left, nvmlDevice_t right,
                                                 int* level) {
  return answer_pair(left, right, level, [](int device, int other) {
    return device == other ? kSameDevice : kSameNode;
  });
}

nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t left, nvmlDevice_t right, int capability,
                                    int* status) {
  if (capability < 0 || capability >= kP2pCapabilities) return NVML_ERROR_INVALID_ARGUMENT;
  return answer_pair(left, right, status, [](int device, int other) {
    return peers_possible(device, other) ? kP2pOk : kP2pChipsetNotSupported;
  });
}

}  // extern "C"

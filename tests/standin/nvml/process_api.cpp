// Exported: who computes on a device, in the three layouts that the interface has had.
#include "tests/standin/fault.h"
#include "tests/standin/nvml/handle.h"
#include "tests/standin/nvml/occupants.h"

namespace splitbench::standin {
namespace {

constexpr unsigned kNoInstance = ~0U;  // MIG is off

void describe(const Occupant& occupant, nvmlProcessInfo_v1_t* info) {
  *info = {.pid = occupant.pid, .usedGpuMemory = occupant.bytes};
}
void describe(const Occupant& occupant, nvmlProcessInfo_t* info) {
  *info = {.pid = occupant.pid,
           .usedGpuMemory = occupant.bytes,
           .gpuInstanceId = kNoInstance,
           .computeInstanceId = kNoInstance};
}

// *count: room for how many, then how many there are.
template <class Info>
nvmlReturn_t list(nvmlDevice_t handle, unsigned* count, Info* infos) {
  int device = 0;
  const nvmlReturn_t found = look_up_optional(handle, &device);
  if (found != NVML_SUCCESS) return found;
  if (count == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  const std::vector<Occupant> all = occupants(device);
  const unsigned room = *count;
  *count = static_cast<unsigned>(all.size());
  if (room < all.size()) return NVML_ERROR_INSUFFICIENT_SIZE;
  if (!all.empty() && infos == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  for (const Occupant& occupant : all) describe(occupant, infos++);
  return NVML_SUCCESS;
}

}  // namespace

std::vector<Occupant> occupants(int device) {
  const Fault* fault = find_fault("other-process", device);
  if (fault == nullptr) return {};
  return {{.pid = static_cast<unsigned>(fault->number("pid", 1)),
           .bytes = static_cast<unsigned long long>(fault->number("bytes", 1 << 20))}};
}

unsigned long long occupied_bytes(int device) {
  unsigned long long bytes = 0;
  for (const Occupant& occupant : occupants(device)) bytes += occupant.bytes;
  return bytes;
}

}  // namespace splitbench::standin

using namespace splitbench::standin;

extern "C" {

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t handle, unsigned* count,
                                                  nvmlProcessInfo_v1_t* infos) {
  return list(handle, count, infos);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t handle, unsigned* count,
                                                     nvmlProcessInfo_t* infos) {
  return list(handle, count, infos);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t handle, unsigned* count,
                                                     nvmlProcessInfo_t* infos) {
  return list(handle, count, infos);
}

}  // extern "C"

// What can be known of a node with NVIDIA devices without the CUDA runtime: from the system's
// files, the environment and NVML, which is loaded by name. Needs no toolkit.
#pragma once

#include <filesystem>

#include "harness/preflight/examination.h"
#include "model/quantity.h"

namespace splitbench::cuda {

// Where the system keeps its files; other places are for tests.
struct Places {
  std::filesystem::path devices = "/dev";
  std::filesystem::path processes = "/proc";
  std::filesystem::path system = "/sys";
  std::filesystem::path shared_memory = "/dev/shm";
};

// device-files, kernel-driver, shared-memory, container-limits, iommu, environment.
// Facts: device_files, a count, where there are any.
void examine_surroundings(const Places& places, Examiner& examiner);

// What NCCL's shared memory needs: the default of a container's /dev/shm is not enough.
CheckResult judge_shared_memory(Bytes free);

// management-library, compute-mode, mig, memory-errors, other-processes.
// Facts: device_count; driver; devices, a list with their addresses and links.
void examine_management(Examiner& examiner);

}  // namespace splitbench::cuda

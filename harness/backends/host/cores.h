// Which CPU cores this process may use as devices, and how many its container grants.
#pragma once

#include <string>
#include <vector>

#include "model/quantity.h"

namespace splitbench::host {

// One hardware thread, the first of its core.
struct Core {
  int os_index = 0;  // as the operating system numbers it
  int numa_node = 0;
  int cache = -1;  // cores with the same number share their last-level cache; -1: not known
};

struct CpuInventory {
  std::string model;         // "AMD EPYC 7763 64-Core Processor"
  std::vector<Core> cores;   // allowed to this process, one per physical core
  double quota_cores = 0;    // what the container's CPU quota grants; 0: no quota
  Bytes memory{};            // of the machine
  Bytes last_level_cache{};  // the largest one seen

  // Cores that can be used as devices without sharing.
  int usable() const;
};

// Reads the topology (hwloc) and the control group. Throws HarnessError.
CpuInventory read_cpus();

// Binds the calling process, and the memory it will touch, to one hardware thread.
void bind_to(const Core& core);

}  // namespace splitbench::host

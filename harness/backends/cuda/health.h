// The health of GPUs as NVML sees it: clocks and what holds them down, heat, power, errors, links,
// and whether anybody else is there. docs/rules.md "Void rounds".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/backend.h"
#include "harness/backends/cuda/nvml.h"

namespace splitbench::cuda {

class NvmlWatch final : public HealthWatch {
 public:
  // `addresses`: the PCI address of each rank's device. Where `nvml` cannot be used, all is unknown
  // for its reason.
  NvmlWatch(Nvml nvml, std::vector<std::string> addresses);

  std::vector<DeviceHealth> look(const std::vector<pid_t>& ours) override;

 private:
  Nvml nvml_;
  std::vector<std::string> addresses_;
};

}  // namespace splitbench::cuda

// The GPUs that splitbench ships with, read once.
#pragma once

#include <vector>

#include "protocols/catalogue.h"
#include "protocols/gpu_catalogue.h"

namespace splitbench::test {

inline const std::vector<GpuModel>& shipped_catalogue() {
  static const std::vector<GpuModel> shipped = load_gpu_catalogue(protocol_directories("/nowhere"));
  return shipped;
}

}  // namespace splitbench::test

#include "harness/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/invalid_input.h"

namespace splitbench {

std::span<const BackendEntry> known_backends() {
  static const std::array<BackendEntry, 4> entries{{
      {"cuda",
       "NVIDIA GPUs, one rank process each: CUDA, cuBLASLt, NCCL",
       {"cuda13", "cuda12"},
       "the CUDA Toolkit (12.4 or newer) and NCCL",
       true},
      {"host",
       "CPU cores as devices, OpenBLAS with one thread each; real times of a CPU",
       {"host"},
       "OpenBLAS and hwloc"},
      {"simulated", "a simulation with known parameters; virtual times", {"simulated"}, ""},
      {"replay", "tables of times in place of devices: --mlp-table, --collective-table", {}, ""},
  }};
  return entries;
}

const BackendEntry& known_backend(std::string_view name) {
  const auto entries = known_backends();
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const BackendEntry& entry) { return entry.name == name; });
  if (found != entries.end()) return *found;
  throw InvalidInput(
      "backend",
      fmt::format("'{}' is unknown; expected auto, cuda, host, simulated or replay", name));
}

}  // namespace splitbench

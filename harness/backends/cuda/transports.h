// By which ways NCCL may take bytes from device to device of one machine, as the variables of rank
// processes say it. Source: NVIDIA NCCL documentation, "Environment Variables" (NCCL_P2P_DISABLE,
// NCCL_P2P_LEVEL, NCCL_SHM_DISABLE, NCCL_TOPO_FILE, NCCL_GRAPH_FILE).
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace splitbench::cuda {

struct Transports {
  std::optional<bool> peers;          // over NVLink, from one device's memory to another's
  std::optional<bool> shared_memory;  // through the memory of the host
};

// Nothing for a way of which the variables do not say whether it is open: a value that NCCL's
// documentation does not name, or a file that says how devices are joined.
Transports transports(const std::map<std::string, std::string>& variables);

// {"peers", "shared_memory"}: true, false, or null for one that is not known.
nlohmann::ordered_json to_json(const Transports& transports);

}  // namespace splitbench::cuda

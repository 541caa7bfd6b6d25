// How the devices of a node are joined, from the facts of an examination
// (harness/preflight/preflight.h). What no source says is unknown, and never guessed from a model's
// name.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/node.h"

namespace splitbench {

// The devices that were asked about, each with what the management library says of it under the
// same address: "pcie", "numa_node", "nvlinks"; null where it says nothing.
nlohmann::ordered_json devices_of(const nlohmann::ordered_json& facts);

// One per pair, a < b, positions in devices_of(). `kind`: "NV12" (so many direct NVLinks, or to a
// switch), else the nearest thing of PCIe and machine that both share ("PIX PXB PHB NODE SYS", as
// nvidia-smi topo -m says it), else "unknown". `path`: which way is left to NCCL's messages
// (fact `transports` of the runtime): gpu-link over NVLink; where devices may not reach each other,
// or NCCL may not let them, host-memory, or network where that is closed, too. Unknown where this
// does not follow.
std::vector<Link> links_of(const nlohmann::ordered_json& facts);

// The pair to split over: of those whose copies are fastest in the slower direction, the first.
struct BestPair {
  int a = 0;
  int b = 0;
  double bytes_per_s = 0;
  bool is_one_of_many = false;  // others are within 5 %
};
std::optional<BestPair> best_pair(const nlohmann::ordered_json& facts);

}  // namespace splitbench

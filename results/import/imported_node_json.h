// An imported node as a document. Schema: results/schema/imported_topology.schema.json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/import/imported_node.h"

namespace splitbench {

inline constexpr const char* kImportedTopologySchema = "splitbench.imported-topology/1";

// `files`: what was read. What no text said is null.
nlohmann::ordered_json to_json(const ImportedNode& node, const std::vector<std::string>& files);

}  // namespace splitbench

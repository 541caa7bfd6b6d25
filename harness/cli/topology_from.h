// `topology --from FILE`: a node as someone pasted it, instead of the one that is here.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cli/options.h"

namespace splitbench::cli {

// Reads the files as one node and prints it; an ExitCode. Throws BadDocument.
int show_pasted_topology(const std::vector<std::string>& files, Format format);

// What a user sees of it. Takes the document of results/import/imported_node_json.h.
std::string pasted_topology_screen(const nlohmann::ordered_json& node);

}  // namespace splitbench::cli

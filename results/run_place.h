// Where on a node the ranks of a run were: times say something of the link between those devices,
// and of no other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/import/collective_run.h"
#include "results/import/imported_node.h"

namespace splitbench {

struct RunPlace {
  std::vector<int> devices;  // the node's numbers, ascending; empty where the text does not tell
  std::string outside;       // why the times are of no link of the node; empty where they may be
};

// The node's number of a device: by its address on the bus where both say one, else CUDA's number.
// None where neither tells which it is.
std::optional<int> number_on(const ImportedNode& node, const RunDevice& device);

// Of ranks that are listed one and all, or as many as the node has devices.
RunPlace place_of(const CollectiveRun& run, const ImportedNode& node);

// "0, 3".
std::string numbers_text(const std::vector<int>& devices);

}  // namespace splitbench

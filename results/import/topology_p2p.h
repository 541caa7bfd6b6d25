// nvidia-smi topo -p2p: which device may reach another's memory, as the driver says it. It says
// nothing of whether what arrives there is right.
#pragma once

#include "results/import/imported_node.h"
#include "results/import/text_source.h"

namespace splitbench {

bool looks_like_topology_p2p(const TextSource& source);

// Throws BadDocument likewise.
void read_topology_p2p(const TextSource& source, ImportedNode& node);

}  // namespace splitbench

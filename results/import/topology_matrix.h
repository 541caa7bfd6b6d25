// nvidia-smi topo -m: what lies between devices, and which cores and memory they are near.
#pragma once

#include "results/import/imported_node.h"
#include "results/import/text_source.h"

namespace splitbench {

bool looks_like_topology_matrix(const TextSource& source);

// Throws BadDocument for a matrix that is cut, that does not say the same of both directions, and
// where there are two that differ.
void read_topology_matrix(const TextSource& source, ImportedNode& node);

}  // namespace splitbench

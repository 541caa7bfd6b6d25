// NCCL's topology as XML, what NCCL_TOPO_DUMP_FILE writes and NCCL_TOPO_FILE reads: NUMA nodes,
// PCIe switches, devices, NVLinks. Made by hand for many virtual machines, so that it may say less
// than there is. Source: NVIDIA/nccl, src/graph/xml.cc and topo.h; ROCm/rccl has XGMI in place of
// NVLink.
#pragma once

#include "results/import/imported_node.h"
#include "results/import/text_source.h"

namespace splitbench {

bool looks_like_nccl_topology_xml(const TextSource& source);

// Throws BadDocument for what is no XML, nests more than 32 deep, or has no device that can be told
// to be a GPU.
void read_nccl_topology_xml(const TextSource& source, ImportedNode& node);

}  // namespace splitbench

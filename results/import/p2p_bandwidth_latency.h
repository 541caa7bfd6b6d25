// p2pBandwidthLatencyTest of NVIDIA's CUDA samples: copies between every two devices, one way and
// both, with and without peer access. It does not look at what arrives.
#pragma once

#include "results/import/imported_node.h"
#include "results/import/text_source.h"

namespace splitbench {

bool looks_like_p2p_bandwidth_latency(const TextSource& source);

// Throws BadDocument where there is no whole matrix.
void read_p2p_bandwidth_latency(const TextSource& source, ImportedNode& node);

}  // namespace splitbench

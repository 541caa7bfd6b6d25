// What a rank takes of its device's memory, by the sizes of all that it allocates there itself.
// Contexts and what the vendor's libraries take inside come on top.
#pragma once

#include "harness/backends/cuda/runtime.h"
#include "model/operation.h"
#include "protocols/plan.h"
#include "protocols/protocol.h"

namespace splitbench::cuda {

// As much as frameworks give cuBLASLt on large devices; the same for every product.
inline constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;

// More than twice the last-level cache.
std::size_t flush_bytes(const DeviceInfo& device);

// Of one point, but for its weights: input, running x, what is normalised and y (tokens x d_model
// each), hidden (tokens x d_ff), the largest message, a time stamp for every layer and one more.
Bytes buffers_needed(const Operation& operation, Bytes largest_message);

// While one point is verified: the input, the outputs of split, whole and negative control, and a
// strip of the reference; the exact example.
Bytes verification_needed(const Operation& operation, int ranks);

// Of a whole run where no whole weights are held: the workspace, every distinct share of weights,
// the buffers of all points, the largest verification.
Bytes rank_needed(const Protocol& protocol, const DeviceInfo& device);

}  // namespace splitbench::cuda

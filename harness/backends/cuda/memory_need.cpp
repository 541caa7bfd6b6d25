#include "harness/backends/cuda/memory_need.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "harness/backends/cuda/exact_example.h"
#include "harness/backends/cuda/reference_strip.h"
#include "kernels/stamp.h"

namespace splitbench::cuda {

std::size_t flush_bytes(const DeviceInfo& device) {
  return static_cast<std::size_t>(2.5 * device.last_level_cache.value());
}

Bytes buffers_needed(const Operation& op, Bytes largest_message) {
  const double hidden = static_cast<double>(op.tokens) * static_cast<double>(op.d_ff);
  const double stamps = static_cast<double>(op.layers + 1) * sizeof(kernels::Stamp);
  return message_bytes(op) * 4.0 + element_size(op.dtype) * hidden + largest_message +
         Bytes(stamps);
}

Bytes verification_needed(const Operation& op, int ranks) {
  return message_bytes(op) * 4.0 +
         Bytes(static_cast<double>(ReferenceStrip::device_bytes(op, op.d_ff / ranks))) +
         Bytes(static_cast<double>(exact_example_bytes(op.dtype)));
}

Bytes rank_needed(const Protocol& protocol, const DeviceInfo& device) {
  std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t, DataType>> shares;
  Bytes lasting(static_cast<double>(kWorkspaceBytes + sizeof(float)));  // the float lines ranks up
  if (protocol.cache == Cache::flushed) lasting += Bytes(static_cast<double>(flush_bytes(device)));
  Bytes passing{};
  for (std::size_t point = 0; point < protocol.points.size(); ++point) {
    const Operation& op = protocol.points[point];
    if (shares.emplace(op.d_model, op.d_ff, op.layers, op.dtype).second) {
      lasting += weight_bytes(op) / protocol.ranks;
    }
    lasting += buffers_needed(op, largest_message(protocol, point));
    passing = std::max(passing, verification_needed(op, protocol.ranks));
  }
  return lasting + passing;
}

}  // namespace splitbench::cuda

// What an operation takes on a device that is known from its datasheet alone: ranges, for a peak is
// on paper and a library reaches a share of it that depends on the shape.
//
// A layer's products take at least r = the sum over both of max(flops / peak, bytes / memory rate),
// the roofline (Williams, Waterman, Patterson, CACM 52(4), 2009); what they do take is r over the
// share reached. The shares, and the efficiency of a half, are the least and the most over public
// tables of bf16 products on two GPUs; how they do on others: docs/estimates.md.
#pragma once

#include "model/operation.h"
#include "model/quantity.h"
#include "model/statistics.h"

namespace splitbench {

struct DeviceRates {
  FlopsPerSecond peak{};
  BytesPerSecond memory{};
};

// r: of both products of one layer, each matrix read or written once.
Seconds roofline(const Operation& operation, const DeviceRates& device);

// Seconds, of all layers.
Interval compute_range(const Operation& operation, const DeviceRates& device);  // C
Interval serial_range(const Operation& operation, const DeviceRates& device);   // S

// Of a shard of half the width; for more ranks the lower end is lower, see docs/estimates.md.
Interval efficiency_range(const Operation& operation, const DeviceRates& device, int ranks);

}  // namespace splitbench

// The rounds of a run sorted into the samples of each point: what an analysis starts from.
#pragma once

#include <span>
#include <vector>

#include "model/measurements.h"
#include "protocols/protocol.h"
#include "results/run_record.h"

namespace splitbench {

struct PointSamples {
  ParameterSamples parameters;
  ValidationSamples validation;
};

// One entry per point of the protocol, with every session that has a round; void rounds are left
// out. The order in which rounds are given makes no difference.
//
// Wire bytes are those of a ring. The coarse grid of collective sizes is measured with the first
// point of each data type and serves every point of that type. A point is taken not to fit on one
// device where rounds have the split and never the whole, neither `full` nor `unsplit`.
//
// Throws InvalidInput for a step of a point that the protocol has not, and for one of the sweep
// that names no message.
std::vector<PointSamples> point_samples(const Protocol& protocol,
                                        std::span<const RoundRecord> rounds);

}  // namespace splitbench

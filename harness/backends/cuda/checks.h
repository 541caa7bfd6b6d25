// Checks of a node by the CUDA runtime, cuBLASLt and NCCL: what the module answers in a preflight.
#pragma once

#include "harness/backend.h"
#include "harness/examination.h"

namespace splitbench::cuda {

// driver-version, distinct-devices, first-kernel, free-memory, products. Facts: visible_devices and
// usable_devices (indices), devices, rank_environment, staged_environment, devices_are_chosen,
// stand_in.
void examine_runtime(const DeviceRequest& request, Examiner& examiner);

// peer-access, peer-data, over every ordered pair. Facts: pairs.
void examine_peers(const DeviceRequest& request, Examiner& examiner);

// all-reduce (or, for Risk::staged, all-reduce-staged), as one of its ranks.
void examine_collective(Risk risk, const RankSeat& seat, Examiner& examiner);

// No check: what copies between every ordered pair take. Facts: copies.
void measure_copies(const DeviceRequest& request, Examiner& examiner);

}  // namespace splitbench::cuda

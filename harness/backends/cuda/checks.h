// Checks of a node by the CUDA runtime, cuBLASLt and NCCL: what the module answers in a preflight.
#pragma once

#include "harness/backend.h"
#include "harness/preflight/examination.h"

namespace splitbench::cuda {

// driver-version, distinct-devices, first-kernel, free-memory, products. A device is usable where a
// kernel ran and memory was given. Facts: visible_devices;
// devices and usable_devices (indices), one per rank; rank_environment, staged_environment,
// transports (transports.h),
// devices_are_chosen, stand_in; start_up_s, until a first kernel has run.
void examine_runtime(const DeviceRequest& request, Examiner& examiner);

// peer-access, peer-data, over every ordered pair of different devices. Facts: pairs.
void examine_peers(const DeviceRequest& request, Examiner& examiner);

// all-reduce (or, for Risk::staged, all-reduce-staged), as one of its ranks. Facts: start_up_s,
// from the id to the communicator, the longest of the ranks.
void examine_collective(Risk risk, const RankSeat& seat, Examiner& examiner);

// No check: what copies between every ordered pair take. Facts: copies.
void measure_copies(const DeviceRequest& request, Examiner& examiner);

}  // namespace splitbench::cuda

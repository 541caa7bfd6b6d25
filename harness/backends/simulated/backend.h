// The simulated backend: devices that are a scenario, in virtual time. One process simulates all
// ranks of a session, however many there are. Nothing of its numbers was measured, and every result
// says so.
#pragma once

#include "harness/backend.h"
#include "harness/backends/simulated/scenario.h"

namespace splitbench::simulated {

const Backend* backend();  // lives as long as the process

// The devices of a run: one per rank, in a ring.
NodeDescription describe_node(const Scenario& scenario, const DeviceRequest& request);

}  // namespace splitbench::simulated

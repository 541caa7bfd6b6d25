// The times that the stand-ins used, as they used them: what a measurement should find.
#pragma once

#include <string>

#include "tests/standin/clock.h"

namespace splitbench::standin {

// One operation of this name took this long (launch included, waiting for others not). Called for
// every kernel and collective by the stream that ran it.
void record_work(const std::string& name, Time spent);

// {"clock": "virtual", "launch_s", "latency_s" (of a collective, launch included),
//  "bandwidth_bytes_per_s", "work": {NAME: {"count", "mean_s", "least_s", "most_s"}}}
std::string truth_json();

}  // namespace splitbench::standin

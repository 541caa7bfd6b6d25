#include "model/replicas.h"

#include <cmath>

#include "model/invalid_input.h"

namespace splitbench {

ReplicaThroughput replica_throughput(const Replicas& replicas) {
  if (replicas.devices < 1) throw InvalidInput("devices", "expected at least 1 device");
  if (!(replicas.samples_per_second > 0.0) || std::isinf(replicas.samples_per_second)) {
    throw InvalidInput("samples_per_second", "expected a finite rate above 0");
  }
  if (!(replicas.scaling_efficiency > 0.0 && replicas.scaling_efficiency <= 1.0)) {
    throw InvalidInput("scaling_efficiency", "expected a value above 0 and at most 1");
  }
  const double ideal = replicas.devices * replicas.samples_per_second;
  if (std::isinf(ideal)) {
    throw InvalidInput("samples_per_second", "the rate of all devices is too large to add up");
  }
  const double actual = ideal * replicas.scaling_efficiency;
  return {.ideal_per_second = ideal,
          .actual_per_second = actual,
          .lost_per_second = ideal - actual,
          .speedup = replicas.devices * replicas.scaling_efficiency};
}

}  // namespace splitbench

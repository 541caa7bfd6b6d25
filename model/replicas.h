// Replicas (data parallelism): every device holds the whole operation and serves its own samples.
// Source: docs/formulas.md "Replicas", "Independent jobs".
#pragma once

namespace splitbench {

struct Replicas {
  int devices = 1;                  // d
  double samples_per_second = 0.0;  // v, of one device alone
  double scaling_efficiency = 1.0;  // E in (0, 1], as measured at this d and no other
};

struct ReplicaThroughput {
  double ideal_per_second;   // I = d v
  double actual_per_second;  // A = d v E
  double lost_per_second;    // I - A
  double speedup;            // d E
};

// Throws InvalidInput for d < 1, v <= 0, and E outside (0, 1]: as an input, an E above 1 is a
// mistake. A measured E is never clamped, and does not pass through here.
ReplicaThroughput replica_throughput(const Replicas& replicas);

}  // namespace splitbench

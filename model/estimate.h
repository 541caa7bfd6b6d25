// The model's parameters, estimated from ParameterSamples: first one value per session, ratios
// formed inside it, then over sessions with intervals. Source: docs/methodology.md, "Estimates".
//
// w = arm - e: the fixed cost of the stamps is taken off every arm, that of its own launch (one
// rank, or all ranks at once); where an arm is stamped by layer, off every layer. Where timer noise
// makes w negative it is kept so, and noted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/answer.h"
#include "model/collective_fit.h"
#include "model/collective_segments.h"
#include "model/measurements.h"
#include "model/root_set.h"
#include "model/statistics.h"

namespace splitbench {

// One session's values in seconds; nothing where the session lacks an arm it takes.
struct SessionEstimate {
  int session = 0;
  // The one-rank arms of a round share a device; these are from Parameters::device.
  std::optional<double> empty;            // e of one rank
  std::optional<double> empty_all_ranks;  // e of all ranks at once
  // Less e:
  std::optional<double> serial;               // S
  std::optional<double> serial_all_ranks;     // S + X
  std::optional<double> compute;              // C, on Parameters::device
  std::optional<double> shard;                // C_shard = C / (N eta)
  std::optional<double> shard_alone;          // of the slowest device; each must have run it
  std::optional<double> collective;           // of one collective, the longest rank: H / Q
  std::optional<double> collective_shortest;  // the shortest: without waiting
  // One of Q back to back, less its part of e.
  std::optional<double> collective_pipelined;
  Answer<CollectiveLine> line = Answer<CollectiveLine>::none("not fitted");
  std::optional<double> clock_hz;  // during `shard`

  std::optional<double> collective_from_line(Bytes wire) const;  // l + V/B
  std::optional<double> serial_extra() const;         // X: all ranks at once less one alone
  std::optional<double> efficiency(int ranks) const;  // eta
};

// A value at which T1 = T_N, and every value that the sessions do not exclude.
struct BreakEven {
  Answer<double> value = Answer<double>::none("not estimated");
  Answer<RealSet> set = Answer<RealSet>::none("not estimated");
};

inline Answer<std::vector<CollectiveSegment>> no_segments(const std::string& reason) {
  return Answer<std::vector<CollectiveSegment>>::none(reason);
}

struct Parameters {
  std::optional<int> device;  // the faster of those that ran `full`, over all sessions
  std::vector<SessionEstimate> sessions;
  // Seconds, unless said otherwise.
  Answer<Estimate> empty = not_estimated();
  Answer<Estimate> empty_all_ranks = not_estimated();
  Answer<Estimate> serial = not_estimated();
  Answer<Estimate> serial_extra = not_estimated();  // linear
  Answer<Estimate> compute = not_estimated();
  Answer<Estimate> shard = not_estimated();
  Answer<Estimate> shard_alone = not_estimated();
  Answer<Estimate> efficiency = not_estimated();            // a ratio
  Answer<Estimate> collective = not_estimated();            // of one collective
  Answer<Estimate> collective_shortest = not_estimated();   // likewise
  Answer<Estimate> collective_pipelined = not_estimated();  // likewise
  Answer<Estimate> latency = not_estimated();               // linear
  Answer<Estimate> bandwidth = not_estimated();             // bytes/s
  // l + V/B of one collective, formed in each session: what l and 1/B share does not widen it.
  Answer<Estimate> collective_from_line = not_estimated();
  // Of the sweep without V, in wire bytes; and whether V is near a break between two of them.
  Answer<std::vector<CollectiveSegment>> segments = no_segments("not estimated");
  bool bimodal = false;
  // Wire bytes at which every session's line holds, and the worst of their errors.
  Answer<Interval> valid_for_bytes = Answer<Interval>::none("no session has a line");
  Answer<double> line_max_relative_error = Answer<double>::none("no session has a line");
  BreakEven break_even_compute;    // C*, s
  BreakEven min_bandwidth;         // B_min, bytes/s
  BreakEven min_efficiency;        // eta_min
  std::vector<std::string> notes;  // what weakens the above, as sentences
};

// Throws InvalidInput where check(samples) does.
Parameters estimate(const ParameterSamples& samples, double confidence);

// Of samples that no parameter is taken from, for this reason: the device alone.
Parameters no_parameters(const ParameterSamples& samples, const std::string& reason);

}  // namespace splitbench

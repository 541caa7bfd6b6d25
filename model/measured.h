// What was measured of the whole operation, unsplit and split: what a prediction is judged by.
// Source: docs/methodology.md, "Arms" and "Estimates".
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "model/answer.h"
#include "model/measurements.h"
#include "model/statistics.h"

namespace splitbench {

// Seconds as measured, the fixed cost of the first and last stamp included, as in T1 and T_N alike.
// What the stamps inside a split cost is taken off it: T1 has none.
struct SessionMeasured {
  int session = 0;
  std::optional<double> unsplit;  // T1, on the device C is from
  std::optional<double> twin;     // T1 once more
  std::optional<double> split;    // T_N
  std::optional<double> split_without_collective;
  // Where `split` is stamped: its collectives, of every layer the rank that arrived last, for which
  // it does not contain waiting.
  std::optional<double> collectives_in_place;
  std::optional<double> split_clock_hz;
  std::optional<double> without_collective_clock_hz;

  std::optional<double> speedup() const;  // T1 / T_N
};

struct Measured {
  std::vector<SessionMeasured> sessions;
  Answer<Estimate> t1 = not_estimated();       // s
  Answer<Estimate> tn = not_estimated();       // s
  Answer<Estimate> speedup = not_estimated();  // T1 / T_N, paired inside a session
};

// Seconds of the fixed cost e of all ranks, by session.
using StampCosts = std::map<int, double>;

// `device`: Parameters::device, so that T1 and C are those of one device; nothing: any device. A
// session without a cost of its stamps keeps them. Throws InvalidInput where check(samples) does.
Measured measure(const ValidationSamples& samples, std::optional<int> device,
                 const StampCosts& stamps, double confidence);

}  // namespace splitbench

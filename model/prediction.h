// T_N predicted from parameters that were measured apart. Source: docs/methodology.md,
// "Prediction and its error".
//
//   point      the median of e + sum_q [ max_r (s_qr + c_qr) + h_q ] over whole repeats of
//   `serial`,
//              `shard` and `collective` drawn independently within a session. Medians are not
//              added: the split pays the slowest rank of every layer.
//   from fit   e + S + X + C/(N eta) + Q (l + V/B), l and B from the sweep without V.
//
// In s, c and h the fixed cost e is taken off every interval between two stamps: once in a layer of
// a stamped arm, once in a collective. X, the extra serial time of all ranks at once, belongs to
// T_N alone.
//
// The argument is ParameterSamples: what is predicted cannot be seen from here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/answer.h"
#include "model/decomposition.h"
#include "model/estimate.h"
#include "model/measurements.h"

namespace splitbench {

// Seconds, of one session that has every arm the prediction takes.
struct SessionPrediction {
  int session = 0;
  double empty = 0.0;               // e of all ranks
  double serial = 0.0;              // S
  double serial_extra = 0.0;        // X
  double shard = 0.0;               // C/(N eta)
  double communication = 0.0;       // H = Q h
  double point = 0.0;               // predicted T_N
  double without_collective = 0.0;  // the same draws without h
  // Q (l + V/B), and T_N with it; none where the session's line does not hold at V.
  Answer<double> line_communication = Answer<double>::none("not fitted");
  Answer<double> from_fit = Answer<double>::none("not fitted");
  std::optional<double> one_device;  // e + S + C: predicted T1
  std::optional<double> clock_hz;    // at which `shard` ran
};

enum class PredictionKind { point, from_fit };
std::optional<double> predicted_tn(const SessionPrediction& session, PredictionKind kind);

struct Prediction {
  std::vector<SessionPrediction> sessions;
  Answer<Estimate> point = not_estimated();       // s
  Answer<Estimate> from_fit = not_estimated();    // s
  Answer<Estimate> one_device = not_estimated();  // s
  Answer<Estimate> speedup = not_estimated();     // predicted T1 / point
  // S + X + max(C/(N eta), H) + e: an optimistic bound with perfect overlap, never a prediction.
  Answer<Estimate> overlap_bound = not_estimated();  // s
  // empty, serial, serial_extra, compute, communication, composition_of_medians; sums to `point`.
  std::vector<Term> budget;
};

// The same over given sessions; `reason`: why there is no prediction where there are none.
Prediction over_sessions(std::vector<SessionPrediction> sessions, const std::string& reason,
                         double confidence);

// Throws InvalidInput where check(samples) does. `parameters` are those of the same samples. The
// same seed gives the same point prediction, session by session, whatever other sessions there are;
// where the collective's line breaks is found in all of them.
Prediction predict(const ParameterSamples& samples, const Parameters& parameters, double confidence,
                   std::size_t draws, std::uint64_t seed);

}  // namespace splitbench

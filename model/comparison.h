// A prediction of T_N beside the measured T_N. Source: docs/methodology.md, "Prediction and its
// error".
#pragma once

#include <vector>

#include "model/answer.h"
#include "model/measured.h"
#include "model/prediction.h"
#include "model/statistics.h"

namespace splitbench {

// A session with both sides above 0, and the prediction of it that is judged.
struct ComparedSession {
  SessionPrediction prediction;
  SessionMeasured measured;
  double predicted = 0.0;  // s
  double tn = 0.0;         // s, as measured
};
std::vector<ComparedSession> compared_sessions(const Prediction& prediction, PredictionKind kind,
                                               const Measured& measured);

struct Comparison {
  // Delta_s = ln(T_N / predicted T_N) of the sessions that have both: above 0 the split took longer
  // than predicted.
  std::vector<double> deltas;
  Answer<Estimate> delta = not_estimated();                              // linear
  Answer<double> relative_error = Answer<double>::none("not compared");  // exp(delta) - 1
  Answer<Interval> interval = Answer<Interval>::none("not compared");    // of relative_error
  // The root mean square of ln T_N,s less the mean of ln predicted T_N over the other sessions: how
  // far a prediction from other sessions is off. Needs 2 sessions.
  Answer<RootMeanSquare> out_of_session_error = Answer<RootMeanSquare>::none("not compared");
};

Comparison compare(const Prediction& prediction, PredictionKind kind, const Measured& measured,
                   double confidence);

}  // namespace splitbench

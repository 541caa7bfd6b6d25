#include "model/comparison.h"

#include <cmath>
#include <numeric>

#include "model/sessions.h"

namespace splitbench {
namespace {

// ln T_N and ln predicted T_N of the sessions that have both.
struct Logarithms {
  std::vector<double> measured;
  std::vector<double> predicted;
};

Logarithms logarithms(const Prediction& prediction, PredictionKind kind, const Measured& measured) {
  Logarithms logs;
  for (const ComparedSession& session : compared_sessions(prediction, kind, measured)) {
    logs.measured.push_back(std::log(session.tn));
    logs.predicted.push_back(std::log(session.predicted));
  }
  return logs;
}

Answer<RootMeanSquare> out_of_session_error(const Logarithms& logs, double confidence) {
  const std::size_t count = logs.measured.size();
  if (count < 2) {
    return Answer<RootMeanSquare>::none("needs at least 2 sessions with a prediction and T_N");
  }
  const double sum = std::accumulate(logs.predicted.begin(), logs.predicted.end(), 0.0);
  std::vector<double> errors(count);
  for (std::size_t s = 0; s < count; ++s) {
    const double others = (sum - logs.predicted[s]) / static_cast<double>(count - 1);
    errors[s] = logs.measured[s] - others;
  }
  return root_mean_square(errors, confidence);
}

// Whichever of the two sides is missing says why.
std::string reason_for_none(const Prediction& prediction, PredictionKind kind,
                            const Measured& measured) {
  const Answer<Estimate>& side =
      kind == PredictionKind::point ? prediction.point : prediction.from_fit;
  if (!side) return "no prediction: " + side.reason();
  if (!measured.tn) return "no measurement: " + measured.tn.reason();
  return "no session has both a prediction and a measured T_N";
}

}  // namespace

std::vector<ComparedSession> compared_sessions(const Prediction& prediction, PredictionKind kind,
                                               const Measured& measured) {
  std::vector<ComparedSession> compared;
  for (const auto& [p, m] : paired(prediction.sessions, measured.sessions)) {
    const std::optional<double> predicted = predicted_tn(p, kind);
    if (!predicted || !m.split || !(*predicted > 0.0) || !(*m.split > 0.0)) continue;
    compared.push_back({.prediction = p, .measured = m, .predicted = *predicted, .tn = *m.split});
  }
  return compared;
}

Comparison compare(const Prediction& prediction, PredictionKind kind, const Measured& measured,
                   double confidence) {
  const Logarithms logs = logarithms(prediction, kind, measured);
  Comparison comparison;
  for (std::size_t s = 0; s < logs.measured.size(); ++s) {
    comparison.deltas.push_back(logs.measured[s] - logs.predicted[s]);
  }
  comparison.out_of_session_error = out_of_session_error(logs, confidence);
  if (comparison.deltas.empty()) {
    const std::string reason = reason_for_none(prediction, kind, measured);
    comparison.delta = Answer<Estimate>::none(reason);
    comparison.relative_error = Answer<double>::none(reason);
    comparison.interval = Answer<Interval>::none(reason);
    return comparison;
  }
  comparison.delta = mean(comparison.deltas, confidence, "delta");
  const Estimate& delta = *comparison.delta;
  comparison.relative_error = std::expm1(delta.value);
  comparison.interval = delta.interval
                            ? Answer<Interval>(Interval{std::expm1(delta.interval->low),
                                                        std::expm1(delta.interval->high)})
                            : delta.interval;
  return comparison;
}

}  // namespace splitbench

#include "results/stopping_rule.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "model/analysis.h"
#include "results/counted_rounds.h"
#include "results/criteria.h"
#include "results/forecast_document.h"
#include "results/point_samples.h"

namespace splitbench {
namespace {

std::vector<ComparedSession> compared(const nlohmann::ordered_json& forecast,
                                      const ValidationSamples& samples,
                                      const AcceptanceCriteria& accept) {
  const Prediction prediction = forecast_prediction(forecast, accept.confidence);
  const PointJudgement judgement = judge(prediction, forecast_device(forecast), samples, accept);
  return compared_sessions(prediction, PredictionKind::point, judgement.measured);
}

std::optional<SessionDelta> delta_of(const std::vector<ComparedSession>& sessions, int session) {
  const auto found = std::find_if(
      sessions.begin(), sessions.end(),
      [session](const ComparedSession& one) { return one.prediction.session == session; });
  if (found == sessions.end()) return std::nullopt;
  return session_delta(*found);
}

}  // namespace

StoppingRule stopping_rule(const StoredRun& stored, const nlohmann::ordered_json& forecast) {
  const Protocol& protocol = stored.run.protocol;
  const AcceptanceCriteria accept = criteria(protocol, stored.sessions.size());
  const auto samples = point_samples(
      protocol, with_void_reasons(stored.rounds, stored.sessions, protocol.points.size()));
  std::vector<std::vector<ComparedSession>> points;
  for (std::size_t point = 0; point < samples.size(); ++point) {
    points.push_back(compared(forecast.at("points").at(point), samples[point].validation, accept));
  }
  StoppingRule rule(points.size(), accept);
  for (const SessionRecord& session : stored.sessions) {
    std::vector<std::optional<SessionDelta>> deltas;
    for (const auto& sessions : points) deltas.push_back(delta_of(sessions, session.session));
    rule.add(deltas);
  }
  return rule;
}

}  // namespace splitbench

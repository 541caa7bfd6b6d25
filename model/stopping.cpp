#include "model/stopping.h"

#include <algorithm>
#include <cmath>

#include "model/invalid_input.h"
#include "model/verdict.h"

namespace splitbench {
namespace {

bool is_decided(const std::vector<SessionDelta>& sessions, const AcceptanceCriteria& criteria) {
  Comparison comparison;
  std::vector<double> times;
  for (const SessionDelta& session : sessions) {
    comparison.deltas.push_back(session.delta);
    times.push_back(session.tn);
  }
  comparison.delta = mean(comparison.deltas, criteria.confidence, "delta");
  const Answer<Estimate> tn = log_mean(times, criteria.confidence, "T_N");
  return judge_model(comparison, tn, criteria).outcome != ModelOutcome::inconclusive;
}

}  // namespace

bool is_look(std::size_t sessions) {
  return std::any_of(kLooks.begin(), kLooks.end(),
                     [sessions](const Look& look) { return look.sessions == sessions; });
}

AcceptanceCriteria at_look(AcceptanceCriteria criteria, std::size_t sessions) {
  const auto look = std::find_if(kLooks.begin(), kLooks.end() - 1,
                                 [sessions](const Look& one) { return sessions <= one.sessions; });
  criteria.judging_confidence = 1.0 - look->alpha;
  criteria.equivalence_confidence = 1.0 - 2.0 * look->alpha;
  return criteria;
}

SessionDelta session_delta(const ComparedSession& session) {
  return {.delta = std::log(session.tn / session.predicted), .tn = session.tn};
}

StoppingRule::StoppingRule(std::size_t points, const AcceptanceCriteria& criteria)
    : criteria_(criteria), points_(points) {
  check(criteria);
}

void StoppingRule::add(std::span<const std::optional<SessionDelta>> points) {
  if (points.size() != points_.size()) {
    throw InvalidInput("points", "expected one entry for each point");
  }
  ++sessions_;
  for (std::size_t point = 0; point < points.size(); ++point) {
    if (points[point]) points_[point].push_back(*points[point]);
  }
}

bool StoppingRule::decided() const {
  if (!is_look(sessions_)) return false;
  const AcceptanceCriteria now = at_look(criteria_, sessions_);
  return std::all_of(points_.begin(), points_.end(),
                     [&now](const auto& sessions) { return is_decided(sessions, now); });
}

}  // namespace splitbench

#include "model/analysis.h"

#include <cmath>
#include <utility>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

template <class Session, class Arm>
ArmSummary summarize_arm(const std::vector<Session>& sessions, Arm arm, Reading reading,
                         const AcceptanceCriteria& criteria) {
  std::vector<const std::vector<Block>*> blocks;
  blocks.reserve(sessions.size());
  for (const Session& session : sessions) blocks.push_back(&session.arms[arm]);
  return {.arm = name(arm),
          .times = summarize(blocks, reading, criteria.confidence),
          .quality = sample_quality(blocks, reading, criteria.confidence, criteria.resamples,
                                    kTrendAlpha)};
}

std::vector<ArmSummary> parameter_arms(const ParameterSamples& samples,
                                       const AcceptanceCriteria& criteria) {
  check(samples);
  check(criteria);
  std::vector<ArmSummary> arms;
  for (const ParameterArm arm : kParameterArms) {
    arms.push_back(summarize_arm(samples.sessions, arm, reading(arm), criteria));
  }
  return arms;
}

Judgement judge_prediction(const Prediction& prediction, PredictionKind kind,
                           const Measured& measured, const AcceptanceCriteria& criteria) {
  Judgement judgement;
  judgement.comparison = compare(prediction, kind, measured, criteria.confidence);
  judgement.verdict = judge_model(judgement.comparison, measured.tn, criteria);
  judgement.attribution = attribute(prediction, kind, measured, criteria);
  return judgement;
}

std::vector<std::string> notes(const PointJudgement& judgement) {
  std::vector<std::string> notes;
  if (!judgement.self.passed) {
    notes.push_back("the least effect was not checked: " + judgement.self.passed.reason());
  }
  if (judgement.point.attribution.unexplained) {
    notes.emplace_back("unexplained: the rest of the attribution is clear of 0");
  }
  return notes;
}

StampCosts stamp_costs(const Prediction& prediction) {
  StampCosts costs;
  for (const SessionPrediction& session : prediction.sessions) {
    costs.emplace(session.session, session.empty);
  }
  return costs;
}

}  // namespace

Answer<bool> is_steady(const ArmSummary& arm, double least_change) {
  const Answer<Trend>& trend = arm.quality.trend;
  if (!trend) return Answer<bool>::none(trend.reason());
  return trend->p_value > kTrendAlpha || std::abs(trend->change) <= least_change;
}

Forecast forecast(const ParameterSamples& samples, const AcceptanceCriteria& criteria,
                  std::uint64_t seed) {
  Forecast forecast{.arms = parameter_arms(samples, criteria)};
  forecast.parameters = estimate(samples, criteria.confidence);
  forecast.prediction =
      predict(samples, forecast.parameters, criteria.confidence, criteria.draws, seed);
  return forecast;
}

Forecast arms_alone(const ParameterSamples& samples, const AcceptanceCriteria& criteria,
                    const std::string& reason) {
  return {.arms = parameter_arms(samples, criteria),
          .parameters = no_parameters(samples, reason),
          .prediction = over_sessions({}, reason, criteria.confidence)};
}

PointJudgement judge(const Prediction& prediction, std::optional<int> device,
                     const ValidationSamples& samples, const AcceptanceCriteria& criteria) {
  check(samples);
  check(criteria);
  PointJudgement judgement;
  for (const ValidationArm arm : kValidationArms) {
    judgement.arms.push_back(summarize_arm(samples.sessions, arm, longest_rank, criteria));
  }
  judgement.measured = measure(samples, device, stamp_costs(prediction), criteria.confidence);
  judgement.point =
      judge_prediction(prediction, PredictionKind::point, judgement.measured, criteria);
  judgement.from_fit =
      judge_prediction(prediction, PredictionKind::from_fit, judgement.measured, criteria);
  judgement.self = compare_twin(judgement.measured, criteria);
  judgement.split =
      judge_split(judgement.measured, judgement.self, samples.fits_one_device, criteria);
  judgement.notes = notes(judgement);
  return judgement;
}

PointAnalysis analyse(const ParameterSamples& parameters, const ValidationSamples& validation,
                      const AcceptanceCriteria& criteria, std::uint64_t seed) {
  if (parameters.ranks != validation.ranks || parameters.layers != validation.layers) {
    throw InvalidInput("samples",
                       "expected parameters and validation of one number of ranks and "
                       "layers");
  }
  Forecast before = forecast(parameters, criteria, seed);
  PointAnalysis analysis{judge(before.prediction, before.parameters.device, validation, criteria),
                         std::move(before)};
  const std::vector<std::string>& weak = analysis.forecast.parameters.notes;
  analysis.notes.insert(analysis.notes.begin(), weak.begin(), weak.end());
  return analysis;
}

}  // namespace splitbench

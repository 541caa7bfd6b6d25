#include "model/analysis.h"

#include <utility>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

template <class Session, class Arm>
ArmSummary summarize_arm(const std::vector<Session>& sessions, Arm arm, Reading reading,
                         double confidence) {
  std::vector<const std::vector<Block>*> blocks;
  blocks.reserve(sessions.size());
  for (const Session& session : sessions) blocks.push_back(&session.arms[arm]);
  return {.arm = name(arm), .times = summarize(blocks, reading, confidence)};
}

Judgement judge_prediction(const Prediction& prediction, PredictionKind kind,
                           const Measured& measured, const AcceptanceCriteria& criteria) {
  Judgement judgement;
  judgement.comparison = compare(prediction, kind, measured, criteria.confidence);
  judgement.verdict = judge_model(judgement.comparison, measured.tn, criteria);
  judgement.attribution = attribute(prediction, kind, measured, criteria);
  return judgement;
}

std::vector<std::string> notes(const PointAnalysis& analysis) {
  std::vector<std::string> notes = analysis.forecast.parameters.notes;
  if (!analysis.self.passed) {
    notes.push_back("the least effect was not checked: " + analysis.self.passed.reason());
  }
  if (analysis.point.attribution.unexplained) {
    notes.emplace_back("unexplained: the rest of the attribution is clear of 0");
  }
  return notes;
}

}  // namespace

Forecast forecast(const ParameterSamples& samples, const AcceptanceCriteria& criteria,
                  std::uint64_t seed) {
  check(samples);
  check(criteria);
  Forecast forecast;
  for (const ParameterArm arm : kParameterArms) {
    forecast.arms.push_back(
        summarize_arm(samples.sessions, arm, reading(arm), criteria.confidence));
  }
  forecast.parameters = estimate(samples, criteria.confidence);
  forecast.prediction =
      predict(samples, forecast.parameters, criteria.confidence, criteria.draws, seed);
  return forecast;
}

PointAnalysis judge(Forecast forecast, const ValidationSamples& samples,
                    const AcceptanceCriteria& criteria) {
  check(samples);
  check(criteria);
  PointAnalysis analysis;
  analysis.forecast = std::move(forecast);
  for (const ValidationArm arm : kValidationArms) {
    analysis.arms.push_back(
        summarize_arm(samples.sessions, arm, longest_rank, criteria.confidence));
  }
  const Prediction& prediction = analysis.forecast.prediction;
  analysis.measured = measure(samples, analysis.forecast.parameters.device, criteria.confidence);
  analysis.point = judge_prediction(prediction, PredictionKind::point, analysis.measured, criteria);
  analysis.from_fit =
      judge_prediction(prediction, PredictionKind::from_fit, analysis.measured, criteria);
  analysis.self = compare_twin(analysis.measured, criteria);
  analysis.split = judge_split(analysis.measured, analysis.self, samples.fits_one_device, criteria);
  analysis.notes = notes(analysis);
  return analysis;
}

PointAnalysis analyse(const ParameterSamples& parameters, const ValidationSamples& validation,
                      const AcceptanceCriteria& criteria, std::uint64_t seed) {
  if (parameters.ranks != validation.ranks || parameters.layers != validation.layers) {
    throw InvalidInput("samples",
                       "expected parameters and validation of one number of ranks and "
                       "layers");
  }
  return judge(forecast(parameters, criteria, seed), validation, criteria);
}

}  // namespace splitbench

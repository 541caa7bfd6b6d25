// From the samples of one point to everything a result says of it: summaries, parameters, the
// prediction, its comparison with what was measured, attribution, verdicts. No device, no clock:
// stored samples give the same answer anywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/acceptance.h"
#include "model/attribution.h"
#include "model/comparison.h"
#include "model/estimate.h"
#include "model/measured.h"
#include "model/measurements.h"
#include "model/prediction.h"
#include "model/summary.h"
#include "model/verdict.h"

namespace splitbench {

struct ArmSummary {
  std::string_view arm;
  Answer<Summary> times = Answer<Summary>::none("not measured");
  SampleQuality quality;
};

// A trend of an arm counts as one where its p value is at most this: one chance in 100 that any arm
// of a point has one by accident (Bonferroni), so that a run of a few points seldom says so.
inline constexpr double kTrendAlpha = 0.01 / (kParameterArms.size() + kValidationArms.size());

// What an arm takes does not change from round to round by more than `least_change`, as far as a
// test can tell. None, with the reason, where none can.
Answer<bool> is_steady(const ArmSummary& arm, double least_change);

// What is said before anything is compared. Made from ParameterSamples alone.
struct Forecast {
  std::vector<ArmSummary> arms;
  Parameters parameters;
  Prediction prediction;
};

// One prediction judged.
struct Judgement {
  Comparison comparison;
  ModelVerdict verdict;
  Attribution attribution;
};

// A point's prediction beside what was measured.
struct PointJudgement {
  std::vector<ArmSummary> arms;  // of ValidationSamples
  Measured measured;
  Judgement point;     // the collective as measured at V
  Judgement from_fit;  // the analytical model, with l and B
  SelfComparison self;
  SplitVerdict split;
  std::vector<std::string> notes;  // what weakened any of it, as sentences
};

// The notes are those of the forecast's parameters, then those of the judgement.
struct PointAnalysis : PointJudgement {
  Forecast forecast;
};

// To be stored before judge() is called. Throws InvalidInput where check() of an argument does.
Forecast forecast(const ParameterSamples& samples, const AcceptanceCriteria& criteria,
                  std::uint64_t seed);

// Of samples that no prediction is made from, for this reason: the arms are shown, nothing else has
// an answer. Throws likewise.
Forecast arms_alone(const ParameterSamples& samples, const AcceptanceCriteria& criteria,
                    const std::string& reason);

// `device`: Parameters::device of the forecast. Throws InvalidInput likewise.
PointJudgement judge(const Prediction& prediction, std::optional<int> device,
                     const ValidationSamples& samples, const AcceptanceCriteria& criteria);

// Both, one after the other. Throws InvalidInput too where the two are not of one shape.
PointAnalysis analyse(const ParameterSamples& parameters, const ValidationSamples& validation,
                      const AcceptanceCriteria& criteria, std::uint64_t seed);

}  // namespace splitbench

// Three-valued verdicts, each with a reason that says what was seen and what would decide.
// Source: docs/methodology.md, "Verdicts".
#pragma once

#include <string>
#include <string_view>

#include "model/acceptance.h"
#include "model/answer.h"
#include "model/comparison.h"
#include "model/measured.h"
#include "model/statistics.h"

namespace splitbench {

enum class ModelOutcome { holds, fails, inconclusive };
enum class SplitOutcome { faster, slower, tie, inconclusive, fits_only_split };
std::string_view name(ModelOutcome outcome);
std::string_view name(SplitOutcome outcome);  // "fits-only-split"

struct ModelVerdict {
  ModelOutcome outcome = ModelOutcome::inconclusive;
  double tolerance = 0.0;  // delta of the contract, relative; 0 where T_N is unknown
  std::string reason;
  // Where inconclusive: the sessions that would decide with a chance of 4 in 5, were the difference
  // and the spread of sessions what they seem. None where it is decided, or no number would.
  Answer<int> sessions_needed = Answer<int>::none("nothing was compared");
};

// HOLDS when the equivalence interval (90 %) of delta lies inside +-tolerance, FAILS when the
// interval (95 %) lies wholly outside, else INCONCLUSIVE.
ModelVerdict judge_model(const Comparison& comparison, const Answer<Estimate>& tn,
                         const AcceptanceCriteria& criteria);

// The largest spread of sessions (standard deviation of delta) at which `sessions` of them say
// HOLDS with a chance of 4 in 5 though the model is exact: tolerance sqrt(n) / (t + t'), with the
// quantiles of HOLDS and of 90 %. 2.1 % at 6 sessions and a tolerance of 3 %.
double decidable_spread(double tolerance, int sessions, const AcceptanceCriteria& criteria);

// What the twin says of differences that are none: T1 once more beside T1.
struct SelfComparison {
  Answer<bool> passed = Answer<bool>::none("not compared");
  Answer<Estimate> log_ratio = not_estimated();  // ln(twin / unsplit), with the 90 % interval
  double least_effect = 0.0;                     // on the scale of ln(T1 / T_N)
};
SelfComparison compare_twin(const Measured& measured, const AcceptanceCriteria& criteria);

struct SplitVerdict {
  SplitOutcome outcome = SplitOutcome::inconclusive;
  std::string reason;
};

SplitVerdict judge_split(const Measured& measured, const SelfComparison& self, bool fits_one_device,
                         const AcceptanceCriteria& criteria);

}  // namespace splitbench

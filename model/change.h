// What changed between two runs that know nothing of each other: the difference of two estimates
// with its interval, and a word for it. Source: docs/rules.md, "Two results beside each
// other".
#pragma once

#include <string>
#include <string_view>

#include "model/answer.h"
#include "model/statistics.h"

namespace splitbench {

enum class Better { higher, lower };

enum class ChangeOutcome { better, worse, same, cannot_say };
std::string_view name(ChangeOutcome outcome);  // "cannot-say"

// Welch's interval (Biometrika 34, 1947) of b less a, each the mean of its sessions, on their
// scale: of ln(b / a) where both are logarithmic. Its degrees of freedom are Satterthwaite's, whole
// ones, rounded down. None where a side has no answer, a value that is not above 0 on the
// logarithmic scale, or fewer than 2 sessions. Throws InvalidInput where their scales differ.
Answer<Estimate> difference(const Answer<Estimate>& a, const Answer<Estimate>& b,
                            double confidence);

struct Change {
  ChangeOutcome outcome = ChangeOutcome::cannot_say;
  std::string reason;
};

// `difference` on the scale of `least_effect`, which is above 0: within it everywhere is `same`,
// beyond it everywhere is `better` or `worse`, and all else cannot be said.
Change judge_change(const Answer<Estimate>& difference, Better better, double least_effect);

}  // namespace splitbench

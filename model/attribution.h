// Where the difference between T_N and its prediction went. Source: docs/methodology.md,
// "Attribution".
//
// In every session, all in seconds, P the prediction without the collective, W the split without
// it, h the collective at V alone:
//
//   composition            W - P                 launch gaps, cache; clocks too if not recorded
//   collective_in_place    I - Q h               I: the collectives inside the split, as stamped;
//                                                T_N - W where they are not stamped
//   line_misfit            Q h - Q (l + V/B)     only where the line was used
//   clock                  (S + X + C_shard) (f / f' - 1), f during `shard`, f' during `split`; the
//                          like part is taken out of the two terms above
//   rest                   what is left of T_N - prediction
//
// The terms sum to the difference of the two estimates as shown, exactly (model/decomposition.h).
// Where the split is not stamped the rest holds the composition of medians alone.
#pragma once

#include <vector>

#include "model/acceptance.h"
#include "model/comparison.h"
#include "model/decomposition.h"
#include "model/measured.h"
#include "model/prediction.h"

namespace splitbench {

struct Attribution {
  Term difference{.name = "difference"};  // T_N less its prediction
  std::vector<Term> terms;                // a term that could not be formed has a reason, no value
  // The rest's interval excludes 0 and the rest exceeds criteria.unexplained_floor.
  bool unexplained = false;
};

// Over the sessions that have a prediction of `kind` and T_N; a term is formed where all of these
// have what it takes. No terms where there is no such session.
Attribution attribute(const Prediction& prediction, PredictionKind kind, const Measured& measured,
                      const AcceptanceCriteria& criteria);

}  // namespace splitbench

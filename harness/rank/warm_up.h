// When a session is warm. Source: docs/rules.md, "Warm-up".
#pragma once

#include <chrono>
#include <map>
#include <vector>

#include "harness/rank/step_costs.h"
#include "model/trend.h"
#include "protocols/protocol.h"
#include "results/run_record.h"

namespace splitbench {

// Fed with the rounds of a session's warm-up on rank 0, planned ones first.
class WarmUp {
 public:
  WarmUp(const Protocol& protocol, bool time_is_virtual);

  void add(const RoundRecord& round);

  int rounds() const { return rounds_; }

  // No step still changes over its recent rounds, as far as a test can tell; the first round of all
  // is not among them, as its blocks have one repeat each.
  bool is_quiet() const;

  // It is not quiet, and neither as many rounds again as a session measures nor a tenth of its
  // share of the budget are used up by those beyond the planned ones.
  bool wants_more() const;

 private:
  using Clock = std::chrono::steady_clock;

  const Protocol& protocol_;
  bool time_is_virtual_;
  int rounds_ = 0;
  Clock::time_point planned_end_ = Clock::now();
  std::map<StepKind, std::vector<RoundTime>> medians_;  // of the blocks of each step, s
};

}  // namespace splitbench

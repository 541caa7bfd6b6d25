// Fitting a protocol to the time there is. Source: docs/rules.md "Budget".
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/quantity.h"
#include "protocols/plan.h"
#include "protocols/protocol.h"

namespace splitbench {

struct PlanCost {
  std::function<Seconds(const Step&)> step;  // one visit of a step, all its repeats
  Seconds session{};                         // starting and ending one session
  Seconds once = Seconds(0);                 // in the first session beyond that
};

// Time of the whole plan: once + sessions x (session + (warm-up rounds + rounds) x steps of a
// round).
Seconds estimated_time(const Protocol& protocol, const PlanCost& cost);

struct FittedProtocol {
  Protocol protocol;                 // what is left; its points are the first of the given ones
  Seconds estimated{};               // its time
  bool fits = false;                 // estimated is within the budget
  std::vector<std::string> dropped;  // a sentence each, in the order in which they went
};

// Drops, one by one and only until the rest fits: coarse grid sizes (the largest first), sweep
// sizes (those nearest to the operation's own first, as the outer ones fix a line best), twin,
// points (the last first, never the first), then rounds beyond 5 and sessions beyond 6. Fewer than
// that has no verdict: where it still does not fit, `fits` is false and the caller says so.
FittedProtocol fit_to_budget(Protocol protocol, const PlanCost& cost, Seconds budget);

}  // namespace splitbench

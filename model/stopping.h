// When a run whose protocol declares early stopping may end. Source: docs/rules.md, "Early
// stopping".
//
// Looking several times and stopping at the first verdict that pleases would be wrong more often
// than each look is: at every look the error that the whole run may make is spent in part. HOLDS
// takes the 1 - 2 alpha interval and FAILS the 1 - alpha interval of that look.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "model/acceptance.h"
#include "model/comparison.h"

namespace splitbench {

struct Look {
  std::size_t sessions;
  double alpha;
};
inline constexpr std::array kLooks{Look{6, 0.015}, Look{10, 0.018}, Look{15, 0.020},
                                   Look{20, 0.020}};

bool is_look(std::size_t sessions);

// The criteria by which that many sessions are judged. Between looks: those of the next one, whose
// share of the error is then spent; after the last: those of the last.
AcceptanceCriteria at_look(AcceptanceCriteria criteria, std::size_t sessions);

// What one session says of one point.
struct SessionDelta {
  double delta;  // ln(T_N / predicted T_N)
  double tn;     // s
};
SessionDelta session_delta(const ComparedSession& session);

// Fed with sessions as they end; knows nothing of how they were measured.
class StoppingRule {
 public:
  // `criteria`: of a run of fixed length. Throws InvalidInput where check(criteria) does.
  StoppingRule(std::size_t points, const AcceptanceCriteria& criteria);

  // One entry per point. Throws InvalidInput for another number of them.
  void add(std::span<const std::optional<SessionDelta>> points);

  // The sessions so far are a look at which every point's prediction HOLDS or FAILS.
  bool decided() const;

 private:
  AcceptanceCriteria criteria_;
  std::size_t sessions_ = 0;
  std::vector<std::vector<SessionDelta>> points_;
};

}  // namespace splitbench

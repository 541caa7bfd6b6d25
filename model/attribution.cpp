#include "model/attribution.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/sessions.h"

namespace splitbench {
namespace {

using Case = ComparedSession;

double difference(const Case& session) {
  return session.tn - session.predicted;
}

// The terms of a session. What a term takes is there in all sessions or the term is formed in none,
// for a mean over some would not belong to the others' sum.
class Ladder {
 public:
  Ladder(const std::vector<Case>& cases, PredictionKind kind)
      : without_collective_(all(
            cases, [](const Case& c) { return c.measured.split_without_collective.has_value(); })),
        stamped_(
            all(cases, [](const Case& c) { return c.measured.collectives_in_place.has_value(); })),
        clocked_(all(cases,
                     [](const Case& c) {
                       return c.prediction.clock_hz && c.measured.split_clock_hz &&
                              c.measured.without_collective_clock_hz;
                     })),
        line_used_(kind == PredictionKind::from_fit) {}

  std::optional<double> composition(const Case& c) const {
    if (!without_collective_) return std::nullopt;
    return *c.measured.split_without_collective - c.prediction.without_collective -
           clock_effect(c, c.measured.without_collective_clock_hz);
  }

  std::optional<double> collective_in_place(const Case& c) const {
    if (stamped_) return *c.measured.collectives_in_place - c.prediction.communication;
    if (!without_collective_) return std::nullopt;
    return c.tn - *c.measured.split_without_collective - c.prediction.communication -
           clock_effect(c, c.measured.split_clock_hz) +
           clock_effect(c, c.measured.without_collective_clock_hz);
  }

  std::optional<double> line_misfit(const Case& c) const {
    if (!line_used_) return std::nullopt;
    return c.prediction.communication - *c.prediction.line_communication;
  }

  std::optional<double> clock(const Case& c) const {
    if (!clocked_) return std::nullopt;
    return clock_effect(c, c.measured.split_clock_hz);
  }

  double rest(const Case& c) const {
    return difference(c) - composition(c).value_or(0.0) - collective_in_place(c).value_or(0.0) -
           line_misfit(c).value_or(0.0) - clock(c).value_or(0.0);
  }

 private:
  template <class Condition>
  static bool all(const std::vector<Case>& cases, Condition condition) {
    return std::all_of(cases.begin(), cases.end(), condition);
  }

  // What work that scales with the clock takes longer at `clock_hz` than where it was measured.
  double clock_effect(const Case& c, std::optional<double> clock_hz) const {
    if (!clocked_) return 0.0;
    const double compute = c.prediction.serial + c.prediction.serial_extra + c.prediction.shard;
    return compute * (*c.prediction.clock_hz / *clock_hz - 1.0);
  }

  bool without_collective_;
  bool stamped_;
  bool clocked_;
  bool line_used_;
};

double geometric_mean(const std::vector<Case>& cases, double (*value)(const Case&)) {
  double logs = 0.0;
  for (const Case& c : cases) logs += std::log(value(c));
  return std::exp(logs / static_cast<double>(cases.size()));
}

bool unexplained(const Term& rest, const AcceptanceCriteria& criteria) {
  if (!rest.amount || !rest.amount->interval) return false;
  return !rest.amount->interval->contains(0.0) &&
         std::abs(rest.amount->value) > criteria.unexplained_floor.value();
}

}  // namespace

Attribution attribute(const Prediction& prediction, PredictionKind kind, const Measured& measured,
                      const AcceptanceCriteria& criteria) {
  Attribution attribution;
  const std::vector<Case> all = compared_sessions(prediction, kind, measured);
  if (all.empty()) {
    attribution.difference.amount =
        Answer<Estimate>::none("no session has both a prediction and a measured T_N");
    return attribution;
  }
  std::vector<double> weights;
  weights.reserve(all.size());
  for (const Case& c : all) weights.push_back(logarithmic_mean(c.tn, c.predicted));
  const double whole =
      logarithmic_mean(geometric_mean(all, [](const Case& c) { return c.tn; }),
                       geometric_mean(all, [](const Case& c) { return c.predicted; }));

  const Ladder ladder(all, kind);
  const auto term = [&](std::string_view name, auto value, const char* reason) {
    const std::vector<double> values = present(all, value);
    if (values.empty()) return Term{.name = name, .amount = Answer<Estimate>::none(reason)};
    return weighted_term(name, values, weights, whole, criteria.confidence);
  };
  const char* const kNoSplit = "the split without collective was not measured in every session";
  attribution.difference = term("difference", difference, "");
  attribution.terms = {
      term(
          "composition", [&](const Case& c) { return ladder.composition(c); }, kNoSplit),
      term(
          "collective_in_place", [&](const Case& c) { return ladder.collective_in_place(c); },
          kNoSplit),
      term(
          "line_misfit", [&](const Case& c) { return ladder.line_misfit(c); },
          "no line was used: the collective was measured at V"),
      term(
          "clock", [&](const Case& c) { return ladder.clock(c); },
          "device clocks were not recorded in every session"),
      term(
          "rest", [&](const Case& c) { return ladder.rest(c); }, "")};
  attribution.unexplained = unexplained(attribution.terms.back(), criteria);
  return attribution;
}

}  // namespace splitbench

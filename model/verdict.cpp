#include "model/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#include "model/distributions.h"
#include "model/sessions.h"

namespace splitbench {
namespace {

constexpr double kPower = 0.80;
constexpr int kMostSessions = 1000;

// "+1.24 %"; a logarithm of a ratio is shown as the change it stands for.
std::string signed_percent(double log_ratio) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%+.2f %%", 100.0 * std::expm1(log_ratio));
  return buffer.data();
}

std::string percent(double share) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.3g %%", 100.0 * share);
  return buffer.data();
}

std::string range(Interval logs) {
  return signed_percent(logs.low) + " to " + signed_percent(logs.high);
}

// The interval of another confidence from the same sessions.
Answer<Interval> interval(const std::vector<double>& sessions, double confidence) {
  const Answer<Estimate> estimate = mean(sessions, confidence, "value");
  return estimate ? estimate->interval : Answer<Interval>::none(estimate.reason());
}

double tolerance(double tn, const AcceptanceCriteria& criteria) {
  return std::max(criteria.model_tolerance, criteria.model_floor.value() / tn);
}

// How far from the mean n sessions of this spread must be from a limit to be on one side of it, by
// an interval whose end is the quantile `confidence_quantile`, with the chance `chance`.
double reach(double spread, int n, double confidence_quantile, double chance) {
  return (student_quantile(confidence_quantile, n - 1) + student_quantile(chance, n - 1)) * spread /
         std::sqrt(static_cast<double>(n));
}

// A chance of 4 in 5 that both ends stay inside +-tolerance is 9 in 10 for each.
constexpr double kChanceOfEachEnd = 1.0 - (1.0 - kPower) / 2.0;

double two_sided(double confidence) {
  return 0.5 + confidence / 2.0;
}

Answer<int> sessions_needed(const Estimate& delta, double tolerance,
                            const AcceptanceCriteria& criteria) {
  const double margin = tolerance - std::abs(delta.value);
  const auto undecided = [&](int n) {
    return margin > 0.0 ? reach(delta.session_sd, n, two_sided(criteria.equivalence_confidence),
                                kChanceOfEachEnd) > margin
                        : reach(delta.session_sd, n, two_sided(criteria.judging_confidence),
                                kPower) > -margin;
  };
  if (undecided(kMostSessions)) {
    return Answer<int>::none("no number of sessions up to " + std::to_string(kMostSessions) +
                             " is likely to decide");
  }
  // More sessions reach less far, so the first number that decides is found by bisection.
  int low = 1;  // does not decide
  int high = kMostSessions;
  while (high - low > 1) {
    const int middle = std::midpoint(low, high);
    (undecided(middle) ? low : high) = middle;
  }
  return high;
}

std::string advice(const Estimate& delta, const ModelVerdict& verdict,
                   const AcceptanceCriteria& criteria) {
  const int n = static_cast<int>(delta.sessions);
  std::string text = "; sessions differ by " + percent(delta.session_sd) + " (standard deviation)";
  const double decidable = decidable_spread(verdict.tolerance, n, criteria);
  if (delta.session_sd > decidable) {
    text += ", and " + std::to_string(n) + " sessions can show that the model holds up to " +
            percent(decidable);
  }
  if (verdict.sessions_needed) {
    return text + ": about " + std::to_string(std::max(*verdict.sessions_needed, n + 1)) +
           " sessions would decide";
  }
  return text + ": " + verdict.sessions_needed.reason() + ", a quieter machine may";
}

}  // namespace

std::string_view name(ModelOutcome outcome) {
  switch (outcome) {
    case ModelOutcome::holds:
      return "holds";
    case ModelOutcome::fails:
      return "fails";
    case ModelOutcome::inconclusive:
      return "inconclusive";
  }
  return "unknown";
}

std::string_view name(SplitOutcome outcome) {
  switch (outcome) {
    case SplitOutcome::faster:
      return "faster";
    case SplitOutcome::slower:
      return "slower";
    case SplitOutcome::tie:
      return "tie";
    case SplitOutcome::inconclusive:
      return "inconclusive";
    case SplitOutcome::fits_only_split:
      return "fits-only-split";
  }
  return "unknown";
}

double decidable_spread(double tolerance, int sessions, const AcceptanceCriteria& criteria) {
  return tolerance /
         reach(1.0, sessions, two_sided(criteria.equivalence_confidence), kChanceOfEachEnd);
}

ModelVerdict judge_model(const Comparison& comparison, const Answer<Estimate>& tn,
                         const AcceptanceCriteria& criteria) {
  ModelVerdict verdict;
  if (!comparison.delta) {
    verdict.reason = comparison.delta.reason();
    verdict.sessions_needed = Answer<int>::none(verdict.reason);
    return verdict;
  }
  verdict.tolerance = tolerance(tn.value().value, criteria);
  const Answer<Interval> narrow = interval(comparison.deltas, criteria.equivalence_confidence);
  const Answer<Interval> wide = interval(comparison.deltas, criteria.judging_confidence);
  if (!narrow) {
    verdict.reason = "no interval: " + narrow.reason();
    verdict.sessions_needed = Answer<int>::none(verdict.reason);
    return verdict;
  }
  verdict.sessions_needed = Answer<int>::none("it is decided: no more sessions are needed");
  const Interval limits{-verdict.tolerance, verdict.tolerance};
  const std::string limits_text = "+-" + percent(verdict.tolerance);
  const auto seen = [](double confidence, Interval logs) {
    return "T_N differs from its prediction by " + range(logs) + " (" + percent(confidence) +
           " interval), ";
  };
  if (narrow->inside(limits)) {
    verdict.outcome = ModelOutcome::holds;
    verdict.reason = seen(criteria.equivalence_confidence, *narrow) + "inside " + limits_text;
  } else if (wide->low > limits.high || wide->high < limits.low) {
    verdict.outcome = ModelOutcome::fails;
    verdict.reason = seen(criteria.judging_confidence, *wide) + "wholly outside " + limits_text +
                     "; the attribution says where it went";
  } else {
    verdict.sessions_needed = sessions_needed(*comparison.delta, verdict.tolerance, criteria);
    verdict.reason = seen(criteria.judging_confidence, *wide) + "neither inside " + limits_text +
                     " nor wholly outside" + advice(*comparison.delta, verdict, criteria);
  }
  return verdict;
}

SelfComparison compare_twin(const Measured& measured, const AcceptanceCriteria& criteria) {
  const std::vector<double> ratios =
      present(measured.sessions, [](const SessionMeasured& s) -> std::optional<double> {
        if (!s.unsplit || !s.twin || !(*s.unsplit > 0.0) || !(*s.twin > 0.0)) return std::nullopt;
        return std::log(*s.twin / *s.unsplit);
      });
  SelfComparison self;
  self.least_effect = criteria.least_effect;
  self.log_ratio = mean(ratios, criteria.equivalence_confidence, "twin");
  if (!self.log_ratio) {
    self.passed = Answer<bool>::none("no session has both the unsplit operation and its twin");
    return self;
  }
  const Answer<Interval>& interval = self.log_ratio->interval;
  if (!interval) {
    self.passed = Answer<bool>::none(interval.reason());
    return self;
  }
  self.passed = interval->inside({-criteria.least_effect, criteria.least_effect});
  if (!*self.passed) {
    self.least_effect = std::max(std::abs(interval->low), std::abs(interval->high));
  }
  return self;
}

SplitVerdict judge_split(const Measured& measured, const SelfComparison& self, bool fits_one_device,
                         const AcceptanceCriteria& criteria) {
  if (!fits_one_device) {
    return {SplitOutcome::fits_only_split,
            "the operation does not fit on one device: there is nothing to compare with"};
  }
  const std::vector<double> gains =
      present(measured.sessions, [](const SessionMeasured& s) -> std::optional<double> {
        const std::optional<double> speedup = s.speedup();
        if (!speedup || !(*speedup > 0.0)) return std::nullopt;
        return std::log(*speedup);
      });
  if (gains.empty()) {
    return {SplitOutcome::inconclusive, "no session has both T1 and T_N"};
  }
  const Answer<Interval> gain = interval(gains, criteria.judging_confidence);
  if (!gain) return {SplitOutcome::inconclusive, "no interval: " + gain.reason()};

  const double least = self.least_effect;
  const std::string effect =
      "the least effect that counts, " + percent(least) +
      (self.passed ? (*self.passed ? "" : " (raised: the same work twice differed by up to that)")
                   : " (not checked against a twin: " + self.passed.reason() + ")");
  const std::string seen = "T1/T_N differs from 1 by " + range(*gain) + " (" +
                           percent(criteria.judging_confidence) + " interval), ";
  if (gain->low > least) return {SplitOutcome::faster, seen + "above " + effect};
  if (gain->high < -least) return {SplitOutcome::slower, seen + "below " + effect};
  if (gain->inside({-least, least})) return {SplitOutcome::tie, seen + "within " + effect};
  return {SplitOutcome::inconclusive, seen + "on both sides of " + effect +
                                          ": more sessions or a quieter machine would decide"};
}

}  // namespace splitbench

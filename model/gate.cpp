#include "model/gate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "model/distributions.h"
#include "model/invalid_input.h"

namespace splitbench {
namespace {

constexpr double kSure = 0.99;  // that a spread is above its limit
constexpr double kTwin = 0.90;  // confidence of the A/A interval, as of any that says "equal"

std::string percent(double share) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f %%", 100.0 * share);
  return text.data();
}

std::string count(std::size_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

// So many times the true spread is found at most, with the probability kSure.
double most_found(int degrees) {
  return std::sqrt(chi_square_quantile(kSure, degrees) / degrees);
}

bool is_surely_above(double spread, double most, double degrees) {
  if (spread <= most) return false;
  return spread > most * most_found(std::max(1, static_cast<int>(degrees)));
}

bool has_spread(const GatedRun& run) {
  return run.sessions >= 2;
}

bool is_noisy(const GatedRun& run, const GateRule& rule) {
  return is_surely_above(run.spread, rule.most_spread, run.sessions - 1);
}

// What is worse by the logarithm `effect` falls short by this.
double shortfall_of(double effect) {
  return -std::expm1(-effect);
}

// The farthest end of an A/A interval that holds 0 and whose spread is within the rule.
double most_least_effect(const GateRule& rule, int sessions) {
  const int degrees = sessions - 1;
  const double t = student_quantile(0.5 + kTwin / 2.0, degrees);
  return 2.0 * t * rule.most_spread * most_found(degrees);
}

// Degrees of freedom that n values leave their successive differences.
double degrees_of_differences(std::size_t runs) {
  const auto n = static_cast<double>(runs);
  return 2.0 * (n - 1.0) * (n - 1.0) / (3.0 * n - 4.0);
}

GateBaseline baseline_of(std::span<const double> logs) {
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    sum += logs[i];
    if (i > 0) squares += (logs[i] - logs[i - 1]) * (logs[i] - logs[i - 1]);
  }
  const auto n = static_cast<double>(logs.size());
  return {.value = std::exp(sum / n),
          .runs = logs.size(),
          .spread = std::sqrt(squares / (2.0 * std::max(n - 1.0, 1.0)))};
}

bool is_noisy(const GateBaseline& baseline, const GateRule& rule) {
  return is_surely_above(baseline.spread, rule.most_spread, degrees_of_differences(baseline.runs));
}

GateJudgement unknown(GateCause cause, std::string reason) {
  return {.outcome = GateOutcome::unknown, .cause = cause, .reason = std::move(reason)};
}

// Runs in order of time, each judged when it was the newest.
class Series {
 public:
  Series(Better better, const GateRule& rule, double least_effect)
      : better_(better),
        rule_(rule),
        threshold_(std::max(rule.threshold, shortfall_of(least_effect))) {}

  GateJudgement judge_next(double value) {
    logs_.push_back(std::log(value));
    regressed_.push_back(false);
    GateJudgement judgement = judge();
    judgement.threshold = threshold_;
    if (judgement.outcome == GateOutcome::regression) leave_out(judgement.shortfalls);
    return judgement;
  }

 private:
  std::vector<double> baseline_logs() const {
    std::vector<double> chosen;
    const std::size_t not_asked = 1 + rule_.left_out;  // the judged run and the newest before it
    for (std::size_t i = logs_.size() - std::min(logs_.size(), not_asked);
         i-- > 0 && chosen.size() < rule_.most_runs;) {
      if (!regressed_[i]) chosen.push_back(logs_[i]);
    }
    return chosen;
  }

  double shortfall(double log, double baseline) const {
    const double ratio = std::exp(log) / baseline;
    return 1.0 - (better_ == Better::higher ? ratio : 1.0 / ratio);
  }

  GateJudgement judge() const {
    const std::vector<double> logs = baseline_logs();
    if (logs.size() < rule_.least_runs) {
      return {.outcome = GateOutcome::learning,
              .cause = GateCause::few_runs,
              .reason = "the baseline has " + count(logs.size(), "run", "runs") + " of at least " +
                        std::to_string(rule_.least_runs) + "; this run and the " +
                        std::to_string(rule_.left_out) + " before it are never in it"};
    }
    GateJudgement judgement;
    const GateBaseline baseline = baseline_of(logs);
    judgement.baseline = baseline;
    for (std::size_t i = logs_.size() - std::min(logs_.size(), rule_.window); i < logs_.size();
         ++i) {
      judgement.shortfalls.push_back(shortfall(logs_[i], baseline.value));
    }
    if (is_noisy(baseline, rule_)) {
      judgement.cause = GateCause::noisy_baseline;
      judgement.reason = "the runs of the baseline differ by " + percent(baseline.spread) +
                         " from one to the next (standard deviation), more than the " +
                         percent(rule_.most_spread) + " at which this can be judged";
      return judgement;
    }
    conclude(judgement);
    return judgement;
  }

  bool falls_short(double shortfall) const { return shortfall >= threshold_; }

  void conclude(GateJudgement& judgement) const {
    const std::vector<double>& seen = judgement.shortfalls;
    const auto below = [&seen](double threshold) {
      return static_cast<std::size_t>(
          std::count_if(seen.begin(), seen.end(),
                        [threshold](double shortfall) { return shortfall >= threshold; }));
    };
    const auto sentence = [&](double threshold) {
      return std::to_string(below(threshold)) + " of the last " +
             count(seen.size(), "run", "runs") + (below(threshold) == 1 ? " lies " : " lie ") +
             percent(threshold) + " or more on the worse side of the baseline";
    };
    const bool regression = below(threshold_) >= rule_.shortfalls;
    judgement.outcome = regression ? GateOutcome::regression : GateOutcome::pass;
    judgement.reason = sentence(threshold_);
    if (regression || below(rule_.threshold) < rule_.shortfalls) return;
    judgement.outcome = GateOutcome::unknown;
    judgement.cause = GateCause::least_effect;
    judgement.reason = sentence(rule_.threshold) + ", but equal things seem to differ by up to " +
                       percent(threshold_) + " here (A/A)";
  }

  void leave_out(const std::vector<double>& shortfalls) {
    for (std::size_t i = 0; i < shortfalls.size(); ++i) {
      if (falls_short(shortfalls[i])) regressed_[logs_.size() - shortfalls.size() + i] = true;
    }
  }

  Better better_;
  const GateRule& rule_;
  double threshold_;
  std::vector<double> logs_;
  std::vector<bool> regressed_;
};

// A value that no ratio can be made from.
GateCause fault_of(double value) {
  if (!std::isfinite(value)) return GateCause::not_finite;
  return value > 0.0 ? GateCause::none : GateCause::zero;
}

void require(bool holds, const char* member, const char* expected) {
  if (!holds) throw InvalidInput(member, expected);
}

}  // namespace

GateRule time_rule() {
  GateRule rule;
  rule.threshold = 0.06;
  rule.most_spread = 0.03;
  return rule;
}

void check(const GateRule& rule) {
  require(rule.threshold > 0.0 && rule.threshold < 1.0, "threshold", "expected above 0, below 1");
  require(rule.most_spread > 0.0 && rule.most_spread < 1.0, "most_spread",
          "expected above 0, below 1");
  require(rule.least_runs >= 2, "least_runs", "expected at least 2");
  require(rule.most_runs >= rule.least_runs, "most_runs", "expected no fewer than at least");
  require(rule.shortfalls >= 1 && rule.shortfalls <= rule.window, "shortfalls",
          "expected at least 1 and no more than the window");
}

std::string_view name(GateOutcome outcome) {
  switch (outcome) {
    case GateOutcome::pass:
      return "pass";
    case GateOutcome::regression:
      return "regression";
    case GateOutcome::learning:
      return "learning";
    case GateOutcome::unknown:
      return "unknown";
  }
  return "unknown";
}

std::string_view name(GateCause cause) {
  switch (cause) {
    case GateCause::none:
      return "none";
    case GateCause::few_runs:
      return "few-runs";
    case GateCause::noisy_run:
      return "noisy-run";
    case GateCause::one_session:
      return "one-session";
    case GateCause::noisy_baseline:
      return "noisy-baseline";
    case GateCause::least_effect:
      return "least-effect";
    case GateCause::zero:
      return "zero";
    case GateCause::not_finite:
      return "not-finite";
    case GateCause::baseline_zero:
      return "baseline-zero";
    case GateCause::baseline_not_finite:
      return "baseline-not-finite";
    case GateCause::no_value:
      return "no-value";
    case GateCause::not_complete:
      return "not-complete";
    case GateCause::not_real:
      return "not-real";
    case GateCause::no_verdict:
      return "no-verdict";
    case GateCause::baseline_missing:
      return "baseline-missing";
    case GateCause::baseline_foreign:
      return "baseline-foreign";
  }
  return "none";
}

GateJudgement judge_newest(std::span<const GatedRun> runs, Better better, const GateRule& rule,
                           double least_effect) {
  check(rule);
  require(!runs.empty(), "runs", "expected at least the run to be judged");
  require(least_effect >= 0.0, "least_effect", "expected 0 or above");
  const GatedRun& newest = runs.back();
  if (fault_of(newest.value) == GateCause::not_finite) {
    return unknown(GateCause::not_finite, "the value of the run is not a finite number");
  }
  if (fault_of(newest.value) == GateCause::zero) {
    return unknown(GateCause::zero, "the value of the run is not above 0");
  }
  if (!has_spread(newest)) {
    return unknown(GateCause::one_session,
                   "the run's own spread is not known; that takes two sessions or more");
  }
  if (is_noisy(newest, rule)) {
    return unknown(GateCause::noisy_run, "the run's own spread is " + percent(newest.spread) +
                                             " (standard error over sessions), more than the " +
                                             percent(rule.most_spread) +
                                             " at which this can be judged");
  }
  const double most = most_least_effect(rule, newest.sessions);
  if (shortfall_of(least_effect) > rule.threshold && least_effect > most) {
    return unknown(GateCause::least_effect,
                   "equal things seem to differ by up to " + percent(shortfall_of(least_effect)) +
                       " in this run (A/A), more than the " + percent(shortfall_of(most)) +
                       " at which this can be judged");
  }
  Series series(better, rule, least_effect);
  for (const GatedRun& run : runs.first(runs.size() - 1)) {
    const GateCause fault = fault_of(run.value);
    if (fault == GateCause::not_finite) {
      return unknown(GateCause::baseline_not_finite,
                     "the value of an earlier run is not a finite number: accept a later one");
    }
    if (fault == GateCause::zero) {
      return unknown(GateCause::baseline_zero,
                     "the value of an earlier run is not above 0: accept a later one");
    }
    if (has_spread(run) && !is_noisy(run, rule)) series.judge_next(run.value);
  }
  return series.judge_next(newest.value);
}

}  // namespace splitbench

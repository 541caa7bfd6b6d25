#include "harness/proof/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/sessions.h"
#include "model/stopping.h"

namespace splitbench::proof {
namespace {

using Json = nlohmann::ordered_json;
using simulated::Work;

constexpr std::array<std::size_t, 3> kSessions{6, 10, 20};
constexpr double kDelta = 0.03;        // of AcceptanceCriteria
constexpr double kLeastEffect = 0.01;  // likewise
constexpr double kTn = 9.223e-3;       // s, of worked_setup(), with e
constexpr int kLayers = 4;

void add_noise(Setup& setup) {
  setup.scenario.noise = {.session = {.machine = 0.02, .work = 0.02, .arm = 0.01},
                          .state = {.sd = 0.01, .autocorrelation = 0.0}};
}

// T_N over its prediction is e^`delta`: the split is late before its collectives where it is to be
// slower than predicted, the shards that are timed alone where it is to be faster.
Setup misprediction(double delta) {
  Setup setup = worked_setup();
  add_noise(setup);
  setup.scenario.delays = {{.seconds = kTn * std::expm1(std::abs(delta)) / kLayers,
                            .at = delta > 0.0 ? Work::collective : Work::shard,
                            .rank = {},
                            .layer = {},
                            .arms = {delta > 0.0 ? Arm::split : Arm::shard}}};
  return setup;
}

// ln(T1 / T_N) is `gain`: S + C = r (S + C / (2 0.8) + H) solved for C. No parameter is measured,
// so stamps, which nothing would take off, cost nothing.
Setup gaining(double gain) {
  constexpr double kSerial = 0.8e-3;
  constexpr double kCommunication = 0.92e-3;
  const double r = std::exp(gain);
  const double compute = (r * (kSerial + kCommunication) - kSerial) / (1.0 - r / 1.6);
  Setup setup = worked_setup();
  add_noise(setup);
  setup.scenario.product_s = compute / kLayers;
  setup.scenario.stamp_s = setup.scenario.stamp_all_ranks_s = 0.0;
  setup.arms = {Arm::unsplit, Arm::split, Arm::twin};
  return setup;
}

struct Shares {
  Proportion holds;
  Proportion fails;
  Proportion faster;
  Proportion slower;
  Proportion tie;

  void add(const PointAnalysis& analysis) {
    add(analysis.point.verdict.outcome);
    faster.add(analysis.split.outcome == SplitOutcome::faster);
    slower.add(analysis.split.outcome == SplitOutcome::slower);
    tie.add(analysis.split.outcome == SplitOutcome::tie);
  }
  void add(ModelOutcome outcome) {
    holds.add(outcome == ModelOutcome::holds);
    fails.add(outcome == ModelOutcome::fails);
  }
};

struct Verdicts {
  std::array<Shares, kSessions.size()> at;
  Shares early;
  double mean_sessions = 0.0;  // of runs that stop early
};

struct EarlyEnd {
  ModelOutcome outcome;
  std::size_t sessions;
};

// What the run would have ended with, had its protocol declared early stopping.
EarlyEnd stopped_early(const PointAnalysis& analysis) {
  AcceptanceCriteria criteria;
  StoppingRule rule(1, criteria);
  Comparison comparison;
  std::vector<double> times;
  for (const ComparedSession& session :
       compared_sessions(analysis.forecast.prediction, PredictionKind::point, analysis.measured)) {
    const SessionDelta delta = session_delta(session);
    rule.add(std::array{std::optional(delta)});
    comparison.deltas.push_back(delta.delta);
    times.push_back(delta.tn);
    if (rule.decided()) break;
  }
  comparison.delta = mean(comparison.deltas, criteria.confidence, "delta");
  const Answer<Estimate> tn = log_mean(times, criteria.confidence, "T_N");
  criteria = at_look(criteria, times.size());
  return {judge_model(comparison, tn, criteria).outcome, times.size()};
}

Verdicts verdicts(const Setup& setup, const Order& order, std::string_view study, std::size_t part,
                  int runs, Ticker& ticker) {
  Verdicts seen;
  const bool predicted = std::count(setup.arms.begin(), setup.arms.end(), Arm::shard) > 0;
  for (int run = 0; run < runs; ++run) {
    PointSamples samples = simulated_samples(setup, static_cast<int>(kSessions.back()),
                                             run_seed(order, study, part, run));
    for (std::size_t n = kSessions.size(); n-- > 0;) {
      keep_first(samples, kSessions[n]);
      const PointAnalysis analysis = analysis_of(samples, order.sabotage);
      seen.at[n].add(analysis);
      if (!predicted || kSessions[n] != kSessions.back()) continue;
      const EarlyEnd end = stopped_early(analysis);
      seen.early.add(end.outcome);
      seen.mean_sessions += static_cast<double>(end.sessions) / runs;
    }
    ticker.step();
  }
  return seen;
}

Json model_row(double delta, const Json& sessions, const Shares& shares) {
  return {{"ln(T_N/predicted)", delta},
          {"sessions", sessions},
          {"HOLDS", share_json(shares.holds)},
          {"FAILS", share_json(shares.fails)}};
}

Json split_row(double gain, std::size_t sessions, const Shares& shares) {
  return {{"ln(T1/T_N)", gain},
          {"sessions", sessions},
          {"FASTER", share_json(shares.faster)},
          {"SLOWER", share_json(shares.slower)},
          {"TIE", share_json(shares.tie)}};
}

std::string early_text(const Verdicts& seen) {
  return fmt::format("early, {:.1f} on average", seen.mean_sessions);
}

void claim_model_errors(Study& study, const Shares& shares, double delta,
                        const std::string& sessions) {
  study.claims.push_back(
      claim(fmt::format("false HOLDS at {:+g}, {}", delta, sessions), shares.holds, {0.0, 0.06}));
  study.claims.push_back(
      claim(fmt::format("false FAILS at {:+g}, {}", delta, sessions), shares.fails, {0.0, 0.035}));
}

}  // namespace

std::vector<Study> verdict_errors(const Order& order, Ticker& ticker) {
  Study model{.name = "verdicts on the model at its limit",
              .about =
                  "T_N differs from its prediction by just delta, 3 %: HOLDS and FAILS are both "
                  "wrong there. Sessions of an arm differ by 1 %. Meant: 5 % and 2.5 %; asked: "
                  "at most 6 and 3.5 %."};
  Study split{.name = "verdicts on the split at its limit",
              .about =
                  "ln(T1/T_N) is just the least effect, 1 %: FASTER and SLOWER are wrong "
                  "there. Meant: at most 2.5 %. TIE comes where the interval is narrow enough."};
  ticker.begin("verdicts", 4L * order.seeds);
  std::size_t part = 0;
  for (const double delta : {kDelta, -kDelta}) {
    const Verdicts seen =
        verdicts(misprediction(delta), order, "verdicts", part++, order.seeds, ticker);
    for (std::size_t n = 0; n < kSessions.size(); ++n) {
      model.rows.push_back(model_row(delta, kSessions[n], seen.at[n]));
      claim_model_errors(model, seen.at[n], delta, fmt::format("{} sessions", kSessions[n]));
    }
    model.rows.push_back(model_row(delta, early_text(seen), seen.early));
    claim_model_errors(model, seen.early, delta, "stopping early");
  }
  for (const double gain : {kLeastEffect, -kLeastEffect}) {
    const Verdicts seen = verdicts(gaining(gain), order, "verdicts", part++, order.seeds, ticker);
    for (std::size_t n = 0; n < kSessions.size(); ++n) {
      split.rows.push_back(split_row(gain, kSessions[n], seen.at[n]));
      const Shares& shares = seen.at[n];
      split.claims.push_back(
          claim(fmt::format("false verdict beyond the least effect at {:+g}, {} sessions", gain,
                            kSessions[n]),
                gain > 0.0 ? shares.faster : shares.slower, {0.0, 0.035}));
    }
  }
  ticker.end();
  return {std::move(model), std::move(split)};
}

std::vector<Study> power(const Order& order, Ticker& ticker) {
  constexpr std::array kDeltas{0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06};
  constexpr std::array kGains{0.0, 0.01, 0.02, 0.03, 0.05, 0.10};
  Study model{.name = "power on the model",
              .about =
                  "Verdicts by what the difference truly is; delta is 0.03, sessions of an arm "
                  "differ by 1 %."};
  Study split{.name = "power on the split",
              .about =
                  "Verdicts by what the gain truly is; the least effect is 0.01, or what the "
                  "twin raises it to."};
  const int runs = std::max(order.seeds / 4, 1);
  ticker.begin("power", static_cast<long>(kDeltas.size() + kGains.size()) * runs);
  std::size_t part = 0;
  for (const double delta : kDeltas) {
    const Verdicts seen = verdicts(misprediction(delta), order, "power", part++, runs, ticker);
    for (std::size_t n = 0; n < kSessions.size(); ++n) {
      model.rows.push_back(model_row(delta, kSessions[n], seen.at[n]));
    }
    model.rows.push_back(model_row(delta, early_text(seen), seen.early));
  }
  for (const double gain : kGains) {
    const Verdicts seen = verdicts(gaining(gain), order, "power", part++, runs, ticker);
    for (std::size_t n = 0; n < kSessions.size(); ++n) {
      split.rows.push_back(split_row(gain, kSessions[n], seen.at[n]));
    }
  }
  ticker.end();
  return {std::move(model), std::move(split)};
}

}  // namespace splitbench::proof

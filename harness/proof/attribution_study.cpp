#include "harness/proof/attribution_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "model/distributions.h"

namespace splitbench::proof {
namespace {

using Json = nlohmann::ordered_json;
using simulated::Scenario;
using simulated::Segment;
using simulated::Work;

constexpr int kSessions = 10;
constexpr int kLayers = 4;

enum class Expected { holds, fails, not_fails, inconclusive };

// What is to be found: the verdict on one prediction, and its largest term with its sign. No term:
// none may be larger than half of delta; where it is to be inconclusive nothing is predicted, and
// no term may be formed.
struct Script {
  const char* name;
  void (*put)(Scenario& scenario);
  PredictionKind kind;
  Expected verdict;
  std::string_view term;
  double sign;
};

const std::vector<Arm> kBothSplits{Arm::split, Arm::split_without_collective};

void delay(Scenario& scenario, double seconds, Work at, std::vector<Arm> arms) {
  scenario.delays.push_back(
      {.seconds = seconds, .at = at, .rank = 1, .layer = {}, .arms = std::move(arms)});
}

const std::array kScripts{
    Script{"nothing", [](Scenario&) {}, PredictionKind::point, Expected::holds, "", 0},
    Script{"slow link, a quarter of B",
           [](Scenario& s) { s.collective[0].bandwidth_bytes_per_s = 2.5e9; },
           PredictionKind::point, Expected::holds, "", 0},
    Script{"straggler, shards of rank 1 take 1.25 times as long",
           [](Scenario& s) { s.slowdowns = {{.factor = 1.25, .work = {Work::shard}, .rank = 1}}; },
           PredictionKind::point, Expected::holds, "", 0},
    Script{"throttled rank, all its work takes 1.15 times as long",
           [](Scenario& s) { s.slowdowns = {{.factor = 1.15, .rank = 1}}; }, PredictionKind::point,
           Expected::holds, "", 0},
    Script{"drift, 2 % a second", [](Scenario& s) { s.noise.drift_per_s = 0.02; },
           PredictionKind::point, Expected::holds, "", 0},
    Script{"jump, all work takes 1.15 times as long from 0.8 s on",
           [](Scenario& s) { s.slowdowns = {{.factor = 1.15, .from_s = 0.8}}; },
           PredictionKind::point, Expected::not_fails, "", 0},
    Script{
        "interference, 1.3 times as long in 0.1 of every 0.5 ms",
        [](Scenario& s) { s.slowdowns = {{.factor = 1.3, .period_s = 0.5e-3, .busy_s = 0.1e-3}}; },
        PredictionKind::point, Expected::holds, "", 0},
    Script{"protocol switch beside V",
           [](Scenario& s) {
             s.collective = {{.to_bytes = 1.5e6, .latency_s = 10e-6, .bandwidth_bytes_per_s = 40e9},
                             {.to_bytes = {}, .latency_s = 1e-3, .bandwidth_bytes_per_s = 10e9}};
           },
           PredictionKind::point, Expected::holds, "", 0},
    Script{"protocol switch beside V, by the line",
           [](Scenario& s) {
             s.collective = {{.to_bytes = 1.5e6, .latency_s = 10e-6, .bandwidth_bytes_per_s = 40e9},
                             {.to_bytes = {}, .latency_s = 1e-3, .bandwidth_bytes_per_s = 10e9}};
           },
           PredictionKind::from_fit, Expected::inconclusive, "", 0},
    Script{"another protocol at V alone, by the line",
           [](Scenario& s) {
             const Segment around = s.collective[0];
             Segment at_v = around;
             at_v.latency_s = 180e-6;
             s.collective = {around, at_v, around};
             s.collective[0].to_bytes = 1.9e6;
             s.collective[1].to_bytes = 2.1e6;
           },
           PredictionKind::from_fit, Expected::fails, "line_misfit", +1},
    Script{"rank 1 late before its collectives in the split",
           [](Scenario& s) { delay(s, 150e-6, Work::collective, {Arm::split}); },
           PredictionKind::point, Expected::fails, "collective_in_place", +1},
    Script{"work of rank 1 slower between other work",
           [](Scenario& s) { delay(s, 150e-6, Work::shard, kBothSplits); }, PredictionKind::point,
           Expected::fails, "composition", +1},
    Script{"work of rank 1 slower beside collectives",
           [](Scenario& s) { delay(s, 150e-6, Work::shard, {Arm::split}); }, PredictionKind::point,
           Expected::fails, "rest", +1},
    Script{"contention: who waits slows down the others",
           [](Scenario& s) {
             s.contention = 2;
             delay(s, 200e-6, Work::shard, {});
           },
           PredictionKind::point, Expected::fails, "rest", +1},
    Script{"rank 1 starts 200 us late: each collective alone waits for it",
           [](Scenario& s) { delay(s, 200e-6, Work::start, {}); }, PredictionKind::point,
           Expected::fails, "collective_in_place", -1}};

Setup setup_of(const Script& script) {
  Setup setup = worked_setup();
  setup.arms.insert(setup.arms.end() - 1, Arm::split_without_collective);
  setup.scenario.noise = {.session = {.machine = 0.02, .work = 0.01, .arm = 0.003},
                          .state = {.sd = 0.01, .autocorrelation = 0.0}};
  script.put(setup.scenario);
  return setup;
}

bool is_as_expected(Expected expected, ModelOutcome outcome) {
  switch (expected) {
    case Expected::holds:
      return outcome == ModelOutcome::holds;
    case Expected::fails:
      return outcome == ModelOutcome::fails;
    case Expected::not_fails:
      return outcome != ModelOutcome::fails;
    case Expected::inconclusive:
      return outcome == ModelOutcome::inconclusive;
  }
  return false;
}

bool clear_of(Interval interval, double reach) {
  return interval.low > reach || interval.high < -reach;
}

// The largest of the terms that were formed; none where there is none.
const Term* largest(const Attribution& attribution) {
  const Term* found = nullptr;
  for (const Term& term : attribution.terms) {
    if (!term.amount) continue;
    if (!found || std::abs(term.amount->value) > std::abs(found->amount->value)) found = &term;
  }
  return found;
}

bool is_attributed(const Script& script, const Judgement& judgement, double tn) {
  const Term* term = largest(judgement.attribution);
  if (term == nullptr) return script.verdict == Expected::inconclusive;
  const Interval interval = *term->amount->interval;
  if (script.term.empty()) return !clear_of(interval, 0.5 * judgement.verdict.tolerance * tn);
  return term->name == script.term && clear_of(interval, 0.0) &&
         script.sign * term->amount->value > 0.0;
}

struct Seen {
  Proportion verdict;
  Proportion attributed;
  Proportion unexplained;

  void add(const Script& script, const PointAnalysis& analysis) {
    const Judgement& judgement =
        script.kind == PredictionKind::point ? analysis.point : analysis.from_fit;
    verdict.add(is_as_expected(script.verdict, judgement.verdict.outcome));
    attributed.add(is_attributed(script, judgement, analysis.measured.tn->value));
    unexplained.add(judgement.attribution.unexplained);
  }
};

Study scripted_faults(const Order& order, int runs, Ticker& ticker) {
  Study study{.name = "attribution of faults",
              .about =
                  "10 sessions. Whether the verdict is the one that the fault must have, and the "
                  "largest term the one of its place, clear of 0 on the right side; where the "
                  "model is to hold, no term clear of half of delta; where the line breaks beside "
                  "V, no line "
                  "and no term. Asked: at least 95 % each. "
                  "`unexplained` is right where the term is `rest`; elsewhere 5 % are chance."};
  for (std::size_t i = 0; i < kScripts.size(); ++i) {
    const Script& script = kScripts[i];
    const Setup setup = setup_of(script);
    Seen seen;
    for (int run = 0; run < runs; ++run) {
      const std::uint64_t seed = run_seed(order, "attribution", i, run);
      seen.add(script, analysis_of(simulated_samples(setup, kSessions, seed), order.sabotage));
      ticker.step();
    }
    constexpr std::array kVerdicts{"HOLDS", "FAILS", "not FAILS", "INCONCLUSIVE"};
    study.rows.push_back({{"fault", script.name},
                          {"verdict", kVerdicts[static_cast<std::size_t>(script.verdict)]},
                          {"term", script.term.empty() ? "none" : std::string(script.term)},
                          {"verdict right", share_json(seen.verdict)},
                          {"attribution right", share_json(seen.attributed)},
                          {"unexplained", share_json(seen.unexplained)}});
    study.claims.push_back(
        claim(fmt::format("verdict: {}", script.name), seen.verdict, {0.95, 1.0}));
    if (script.verdict == Expected::not_fails) continue;
    study.claims.push_back(
        claim(fmt::format("attribution: {}", script.name), seen.attributed, {0.95, 1.0}));
  }
  return study;
}

// Through all points (injected, found): least squares.
struct Line {
  double slope;
  Interval interval;  // of the slope, at kSure
};

Line regression(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  const double x_mean = mean(x, 0.95, "x")->value;
  const double y_mean = mean(y, 0.95, "y")->value;
  double xx = 0.0;
  double xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - x_mean) * (x[i] - x_mean);
    xy += (x[i] - x_mean) * (y[i] - y_mean);
  }
  const double slope = xy / xx;
  double residuals = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double off = y[i] - y_mean - slope * (x[i] - x_mean);
    residuals += off * off;
  }
  const double error = std::sqrt(residuals / (count - 2.0) / xx);
  const double reach = student_quantile(0.5 + kSure / 2.0, static_cast<int>(x.size()) - 2) * error;
  return {slope, {slope - reach, slope + reach}};
}

const Term& term_of(const Attribution& attribution, std::string_view name) {
  return *std::find_if(attribution.terms.begin(), attribution.terms.end(),
                       [name](const Term& term) { return term.name == name; });
}

constexpr std::array kDelays{0.0, 10e-6, 50e-6, 250e-6, 1000e-6};  // s, in each layer

struct Injection {
  Work at;
  std::vector<Arm> arms;
  std::string_view term;
};

Study injected_delays(const Order& order, int runs, Ticker& ticker) {
  Study study{.name = "injected delays",
              .about =
                  "Rank 1 is late by 0, 10, 50, 250 and 1000 us in each of 4 layers: the term of "
                  "that place against what was injected, over all runs, and how often its 95 % "
                  "interval holds that. Asked: slope 1."};
  const std::array injections{Injection{Work::collective, {Arm::split}, "collective_in_place"},
                              Injection{Work::shard, kBothSplits, "composition"},
                              Injection{Work::shard, {Arm::split}, "rest"}};
  std::size_t part = kScripts.size();
  for (const Injection& injection : injections) {
    std::vector<double> injected;
    std::vector<double> found;
    Proportion covered;
    for (const double seconds : kDelays) {
      Setup setup = setup_of(kScripts.front());
      delay(setup.scenario, seconds, injection.at, injection.arms);
      for (int run = 0; run < runs; ++run) {
        const std::uint64_t seed = run_seed(order, "attribution", part, run);
        const PointAnalysis analysis =
            analysis_of(simulated_samples(setup, kSessions, seed), order.sabotage);
        const Estimate amount = *term_of(analysis.point.attribution, injection.term).amount;
        injected.push_back(kLayers * seconds);
        found.push_back(amount.value);
        covered.add(amount.interval->contains(kLayers * seconds));
        ticker.step();
      }
      ++part;
    }
    const Line line = regression(injected, found);
    study.rows.push_back(
        {{"term", injection.term},
         {"slope", {{"value", line.slope}, {"interval", {line.interval.low, line.interval.high}}}},
         {"covers", share_json(covered)}});
    study.claims.push_back(
        claim(fmt::format("slope of {}", injection.term), line.slope, line.interval, {0.99, 1.01}));
  }
  return study;
}

}  // namespace

std::vector<Study> attribution_of_faults(const Order& order, Ticker& ticker) {
  const int runs = std::max(order.seeds / 4, 10);
  const int delayed = std::max(order.seeds / 20, 10);
  ticker.begin("attribution", static_cast<long>(kScripts.size()) * runs +
                                  3L * static_cast<long>(kDelays.size()) * delayed);
  std::vector<Study> studies;
  studies.push_back(scripted_faults(order, runs, ticker));
  studies.push_back(injected_delays(order, delayed, ticker));
  ticker.end();
  return studies;
}

}  // namespace splitbench::proof

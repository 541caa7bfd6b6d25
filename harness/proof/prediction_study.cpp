#include "harness/proof/prediction_study.h"

#include <algorithm>
#include <cmath>

#include "harness/backends/simulated/noise.h"
#include "harness/backends/simulated/simulation.h"
#include "harness/proof/truth.h"

namespace splitbench::proof {
namespace {

using Json = nlohmann::ordered_json;
using simulated::Draws;

constexpr int kSessions = 6;

double between(Draws& draws, double low, double high) {
  return low + (high - low) * draws.uniform();
}

double log_between(Draws& draws, double low, double high) {
  return low * std::pow(high / low, draws.uniform());
}

// Collectives in the shape of all-reduces on two H100 of one node: flat, then a steeper protocol,
// then a jump where the next begins. Each machine has
// its own constants and switches.
std::vector<simulated::Segment> collective(Draws& draws) {
  const double first = log_between(draws, 32e3, 128e3);
  const double second = log_between(draws, 512e3, 2e6);
  const auto spread = [&draws] { return log_between(draws, 0.7, 1.4); };
  return {{first, 6e-6 * spread(), 60e9 * spread()},
          {second, 7.5e-6 * spread(), 140e9 * spread()},
          {std::nullopt, 18e-6 * spread(), 320e9 * spread()}};
}

// Two layers; message, efficiency and serial part at random, and as much compute as makes T1/T_N
// lie between 0.7 and 1.5: S + C = r (S + C/(2 eta) + H) solved for C, where it can be.
Setup machine(Draws& draws) {
  Setup setup = worked_setup();
  simulated::Scenario& scenario = setup.scenario;
  setup.arms = {Arm::empty,      Arm::serial,           Arm::full,    Arm::shard,
                Arm::collective, Arm::collective_sweep, Arm::unsplit, Arm::split};
  setup.operation = {.tokens = static_cast<std::int64_t>(log_between(draws, 4.0, 4096.0)),
                     .d_model = 1024,
                     .d_ff = 4096,
                     .layers = 2};
  setup.grid = {Bytes(4096), Bytes(65536), Bytes(1048576), Bytes(16777216), Bytes(67108864)};
  scenario.collective = collective(draws);
  scenario.shard_efficiency = between(draws, 0.7, 1.1);
  scenario.serial_s = log_between(draws, 2e-6, 20e-6);
  scenario.stamp_s = scenario.stamp_all_ranks_s = 0.5e-6;
  const double message = message_bytes(setup.operation).value();
  const double h = simulated::collective_seconds(scenario, message, setup.ranks);
  const double most = 0.98 * 2.0 * scenario.shard_efficiency;
  const double r = log_between(draws, 0.7, std::min(1.5, most));
  const double s = scenario.serial_s;
  const double compute = (r * (s + h) - s) / (1.0 - r / (2.0 * scenario.shard_efficiency));
  scenario.product_s = std::max(compute, 2e-6);
  scenario.noise = {.session = {.machine = 0.02, .work = 0.01, .arm = 0.005},
                    .state = {.sd = 0.02, .autocorrelation = 0.5}};
  return setup;
}

// The collective at all sizes, V too: medians over sessions, less e.
std::vector<SizeTime> all_sizes(const ParameterSamples& samples, double empty) {
  std::vector<SizeTime> points;
  const auto add = [&](Bytes wire, auto blocks_of) {
    std::vector<double> times;
    for (const ParameterSession& session : samples.sessions) {
      times.push_back(*session_median(blocks_of(session), longest_rank) - empty);
    }
    points.push_back({wire, Seconds(median(std::move(times)))});
  };
  add(
      samples.wire, [](const ParameterSession& session) -> const auto& {
        return session.arms[ParameterArm::collective];
      });
  for (std::size_t i = 0; i < samples.sessions.front().sweep.size(); ++i) {
    const Bytes wire = samples.sessions.front().sweep[i].wire;
    add(
        wire, [wire](const ParameterSession& session) -> const auto& {
          const auto size = std::find_if(session.sweep.begin(), session.sweep.end(),
                                         [wire](const SweepSize& one) { return one.wire == wire; });
          return size->blocks;
        });
  }
  return points;
}

// By the line of least squares through all points, every one with the same weight. Seconds.
double by_global_line(const std::vector<SizeTime>& points, Bytes wire) {
  const auto count = static_cast<double>(points.size());
  double x_mean = 0.0;
  double y_mean = 0.0;
  for (const auto& [x, y] : points) {
    x_mean += x.value() / count;
    y_mean += y.value() / count;
  }
  double xx = 0.0;
  double xy = 0.0;
  for (const auto& [x, y] : points) {
    xx += (x.value() - x_mean) * (x.value() - x_mean);
    xy += (x.value() - x_mean) * (y.value() - y_mean);
  }
  return y_mean + xy / xx * (wire.value() - x_mean);
}

// The same with weights 1/t^2.
Answer<double> by_relative_line(const std::vector<SizeTime>& points, Bytes wire) {
  const Answer<CollectiveLine> line = fit_line(points);
  if (!line) return Answer<double>::none(line.reason());
  const Answer<Seconds> time = line->at(wire);
  return time ? Answer<double>(time->value()) : Answer<double>::none(time.reason());
}

struct Predictor {
  const char* name;
  std::vector<double> errors;  // |predicted / true - 1|
  Proportion wrong;            // says faster where it is slower, or the other way round
  Proportion none;             // no prediction

  void add(const Answer<double>& predicted, double t1, const Truth& truth) {
    none.add(!predicted);
    if (!predicted) return;
    errors.push_back(std::abs(*predicted / truth.tn - 1.0));
    wrong.add((t1 > *predicted) != (truth.t1 > truth.tn));
  }

  Json row() {
    std::sort(errors.begin(), errors.end());
    return {{"prediction", name},
            {"mean |error|, %", 100.0 * mean(errors, 0.95, "error")->value},
            {"p95, %", 100.0 * quantile(errors, 0.95)},
            {"max, %", 100.0 * errors.back()},
            {"wrong winner", share_json(wrong)},
            {"none", share_json(none)}};
  }
};

Answer<double> value_of(const Answer<Estimate>& estimate) {
  return estimate ? Answer<double>(estimate->value) : Answer<double>::none(estimate.reason());
}

// Verdicts that were given, against the truth.
struct Calls {
  Proportion given;
  Proportion wrong;

  void add(SplitOutcome outcome, const Truth& truth) {
    const bool called = outcome == SplitOutcome::faster || outcome == SplitOutcome::slower;
    given.add(called);
    if (called) wrong.add((outcome == SplitOutcome::faster) != (truth.t1 > truth.tn));
  }
};

}  // namespace

std::vector<Study> prediction_error(const Order& order, Ticker& ticker) {
  Study study{.name = "prediction error",
              .about =
                  "Machines at random: an all-reduce with two switches of protocol, eta 0.7 to "
                  "1.1, T1/T_N 0.7 to 1.5, 6 sessions. Error of T_N, and how often the sign of "
                  "ln(T1/T_N) is called wrongly from the value alone. Asked of ours: mean at "
                  "most 2 %."};
  Study calls{.name = "calls on the split",
              .about =
                  "On the same machines: how often a measured verdict says FASTER or SLOWER, "
                  "and how often that is wrong."};
  Predictor ours{.name = "ours, H at V"};
  Predictor line{.name = "l and B around V"};
  Predictor global{.name = "one global line"};
  Predictor relative{.name = "one global line, relative"};
  Predictor lossless{.name = "eta = 1"};
  Predictor both{.name = "one global line, eta = 1"};
  Calls verdicts;
  ticker.begin("prediction", order.seeds);
  for (int run = 0; run < order.seeds; ++run) {
    const std::uint64_t seed = run_seed(order, "prediction", 0, run);
    Draws draws{seed};
    const Setup setup = machine(draws);
    const Truth truth = truth_of(setup);
    const PointSamples samples = simulated_samples(setup, kSessions, seed);
    const PointAnalysis analysis = analysis_of(samples, order.sabotage);
    const Parameters& found = analysis.forecast.parameters;
    const Prediction& prediction = analysis.forecast.prediction;
    const double t1 = prediction.one_device->value;
    const double empty = found.empty_all_ranks->value;
    const double rest = empty + found.serial->value;
    const double shard = found.shard->value;
    const double perfect = found.compute->value / setup.ranks;
    const auto collectives = static_cast<double>(setup.operation.layers);
    const std::vector<SizeTime> sizes = all_sizes(samples.parameters, empty);
    const double by_line = collectives * by_global_line(sizes, samples.parameters.wire);
    const Answer<double> by_relative = by_relative_line(sizes, samples.parameters.wire);
    ours.add(value_of(prediction.point), t1, truth);
    line.add(value_of(prediction.from_fit), t1, truth);
    global.add(rest + shard + by_line, t1, truth);
    relative.add(by_relative ? rest + shard + collectives * *by_relative : by_relative, t1, truth);
    lossless.add(rest + perfect + collectives * found.collective->value, t1, truth);
    both.add(rest + perfect + by_line, t1, truth);
    verdicts.add(analysis.split.outcome, truth);
    ticker.step();
  }
  ticker.end();
  for (Predictor* predictor : {&ours, &line, &global, &relative, &lossless, &both}) {
    study.rows.push_back(predictor->row());
  }
  const Estimate error = *mean(ours.errors, kSure, "error");
  study.claims.push_back(
      claim("mean error of the prediction", error.value, *error.interval, {0.0, 0.02}));
  calls.rows.push_back(
      {{"verdict given", share_json(verdicts.given)}, {"wrong", share_json(verdicts.wrong)}});
  calls.claims.push_back(claim("wrong verdicts on the split", verdicts.wrong, {0.0, 0.01}));
  return {std::move(study), std::move(calls)};
}

}  // namespace splitbench::proof

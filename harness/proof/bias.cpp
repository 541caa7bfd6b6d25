#include "harness/proof/bias.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/proof/truth.h"

namespace splitbench::proof {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSessions = 6;

Setup layered(int ranks, double cv) {
  Setup setup = worked_setup();
  setup.arms = {Arm::empty, Arm::serial, Arm::full, Arm::shard, Arm::collective, Arm::split};
  setup.ranks = ranks;
  setup.operation.d_ff = 4096;
  setup.rounds = 10;
  setup.repeats = 10;
  setup.scenario.noise.layer_cv = cv;
  return setup;
}

// S + C_shard + H with the shard of a rank by itself: no layer waits for its slowest rank.
double without_waiting(const ParameterSamples& samples, const SessionPrediction& session) {
  const auto found = std::find_if(
      samples.sessions.begin(), samples.sessions.end(),
      [&session](const ParameterSession& one) { return one.session == session.session; });
  const auto& blocks = found->arms[ParameterArm::shard];
  std::vector<double> times;  // of rank 0, all layers
  for (const Block& block : blocks) {
    const auto layers = static_cast<std::size_t>(block.layers);
    const auto ranks = static_cast<std::size_t>(block.ranks);
    for (std::size_t repeat = 0; repeat < block.repeats(); ++repeat) {
      double& sum = times.emplace_back(0.0);
      for (std::size_t layer = 0; layer < layers; ++layer) {
        sum += block.layer_seconds[(repeat * layers + layer) * ranks];
      }
    }
  }
  const double shard = median(std::move(times)) - samples.layers * session.empty;
  return session.empty + session.serial + shard + session.communication;
}

struct Errors {
  std::vector<double> predicted;  // ln of the prediction over the truth, one a run
  std::vector<double> budget;     // of the sum of medians
  std::vector<double> waitless;
};

double mean_log(const std::vector<SessionPrediction>& sessions, double truth, auto value) {
  double sum = 0.0;
  for (const SessionPrediction& session : sessions) sum += std::log(value(session) / truth);
  return sum / static_cast<double>(sessions.size());
}

Interval at_sure(const std::vector<double>& values) {
  return *mean(values, kSure, "bias")->interval;
}

}  // namespace

std::vector<Study> prediction_bias(const Order& order, Ticker& ticker) {
  Study study{.name = "bias of the prediction",
              .about =
                  "Mean of ln(predicted T_N / true T_N) in percent where layers of every rank "
                  "vary by themselves; sessions are alike. `sum of medians`: e + S + X + C_shard "
                  "+ H, as the budget shows it. `without waiting`: with the shards of one rank. "
                  "Asked of the prediction: within 0.2 %."};
  const int runs = std::max(order.seeds / 10, 10);
  ticker.begin("bias", 6L * runs);
  std::size_t part = 0;
  for (const int ranks : {2, 8}) {
    for (const double cv : {0.02, 0.05, 0.10}) {
      const Setup setup = layered(ranks, cv);
      const double truth = truth_of(setup).tn;
      Errors errors;
      for (int run = 0; run < runs; ++run) {
        const PointSamples samples =
            simulated_samples(setup, kSessions, run_seed(order, "bias", part, run));
        const PointAnalysis analysis = analysis_of(samples, order.sabotage);
        const auto& sessions = analysis.forecast.prediction.sessions;
        errors.predicted.push_back(
            100.0 * mean_log(sessions, truth, [](const auto& s) { return s.point; }));
        errors.budget.push_back(100.0 * mean_log(sessions, truth, [](const auto& s) {
                                  return s.empty + s.serial + s.serial_extra + s.shard +
                                         s.communication;
                                }));
        errors.waitless.push_back(100.0 * mean_log(sessions, truth, [&](const auto& s) {
                                    return without_waiting(samples.parameters, s);
                                  }));
        ticker.step();
      }
      ++part;
      study.rows.push_back({{"ranks", ranks},
                            {"CV of a layer, %", 100.0 * cv},
                            {"prediction, %", mean_json(errors.predicted)},
                            {"sum of medians, %", mean_json(errors.budget)},
                            {"without waiting, %", mean_json(errors.waitless)}});
      study.claims.push_back(claim(
          fmt::format("bias on {} ranks, CV {:g} %, in percent", ranks, 100.0 * cv),
          mean(errors.predicted, kSure, "bias")->value, at_sure(errors.predicted), {-0.2, 0.2}));
    }
  }
  ticker.end();
  return {std::move(study)};
}

}  // namespace splitbench::proof

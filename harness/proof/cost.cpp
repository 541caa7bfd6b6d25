#include "harness/proof/cost.h"

#include <chrono>

#include "harness/proof/experiment.h"

namespace splitbench::proof {
namespace {

double seconds_of(auto work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

nlohmann::ordered_json measured_cost() {
  constexpr int kSessions = 20;
  Setup setup = worked_setup();
  setup.arms.clear();
  for (const auto& arm : arms()) setup.arms.push_back(arm.value);
  setup.rounds = 20;
  setup.repeats = 1;
  setup.scenario.noise = {.session = {.machine = 0.02, .work = 0.02},
                          .state = {.sd = 0.01, .autocorrelation = 0.5},
                          .layer_cv = 0.02};
  PointSamples samples;
  const double simulating = seconds_of([&] { samples = simulated_samples(setup, kSessions, 1); });
  AcceptanceCriteria criteria;
  criteria.draws = 10'000;
  const double analysing =
      seconds_of([&] { analyse(samples.parameters, samples.validation, criteria, 1); });
  return {{"simulated_sessions_per_s", kSessions / simulating}, {"analysis_s", analysing}};
}

}  // namespace splitbench::proof

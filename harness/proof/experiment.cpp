#include "harness/proof/experiment.h"

#include <utility>

#include "harness/backends/simulated/run.h"

namespace splitbench::proof {
namespace {

// Fewer than the 2000 of a real run, and as good here: what 500 draws add to a session's prediction
// (1.25 sd / sqrt(500), 0.06 % of draws that differ by 1 %) is nothing beside its sessions.
constexpr std::size_t kDraws = 500;

Protocol protocol_of(const Setup& setup, int sessions, std::uint64_t seed) {
  Protocol protocol;
  protocol.points = {setup.operation};
  protocol.ranks = setup.ranks;
  protocol.launch = Launch::direct;
  protocol.arms = setup.arms;
  protocol.sampling.sessions = sessions;
  protocol.sampling.rounds = setup.rounds;
  protocol.sampling.warmup_rounds = 0;
  protocol.collective_sweep.grid = setup.grid;
  protocol.seed = seed;
  return protocol;
}

AcceptanceCriteria criteria_under(Sabotage sabotage) {
  AcceptanceCriteria criteria;
  criteria.draws = kDraws;
  criteria.resamples = 1;  // no study looks at intervals of tails
  if (sabotage == Sabotage::narrow) {
    criteria.confidence = criteria.judging_confidence = 0.80;
    criteria.equivalence_confidence = 0.60;
  }
  return criteria;
}

void make_shards_faster(ParameterSamples& samples) {
  for (ParameterSession& session : samples.sessions) {
    for (Block& block : session.arms[ParameterArm::shard]) {
      for (double& seconds : block.layer_seconds) seconds *= 0.97;
    }
  }
}

}  // namespace

Setup worked_setup() {
  Setup setup;
  setup.scenario.serial_s = 0.2e-3;
  setup.scenario.product_s = 3e-3;
  setup.scenario.shard_efficiency = 0.8;
  setup.scenario.collective = {{.to_bytes = {}, .latency_s = 30e-6, .bandwidth_bytes_per_s = 10e9}};
  setup.scenario.stamp_s = 2e-6;
  setup.scenario.stamp_all_ranks_s = 3e-6;
  setup.operation = {.tokens = 500, .d_model = 1000, .d_ff = 4000, .layers = 4};
  setup.arms = {Arm::empty,   Arm::serial,     Arm::full,
                Arm::shard,   Arm::collective, Arm::collective_sweep,
                Arm::unsplit, Arm::split,      Arm::twin};
  return setup;
}

PointSamples simulated_samples(const Setup& setup, int sessions, std::uint64_t seed) {
  const Protocol protocol = protocol_of(setup, sessions, seed);
  const simulated::Records records = simulated::simulate(setup.scenario, protocol, setup.repeats);
  return std::move(point_samples(protocol, records.rounds).front());
}

void keep_first(PointSamples& samples, std::size_t sessions) {
  samples.parameters.sessions.resize(sessions);
  samples.validation.sessions.resize(sessions);
}

std::string_view name(Sabotage sabotage) {
  switch (sabotage) {
    case Sabotage::none:
      return "none";
    case Sabotage::narrow:
      return "narrow";
    case Sabotage::biased:
      return "biased";
  }
  return "unknown";
}

PointAnalysis analysis_of(PointSamples samples, Sabotage sabotage) {
  if (sabotage == Sabotage::biased) make_shards_faster(samples.parameters);
  return analyse(samples.parameters, samples.validation, criteria_under(sabotage), 1);
}

}  // namespace splitbench::proof

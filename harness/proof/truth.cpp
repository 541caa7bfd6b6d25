#include "harness/proof/truth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "harness/backends/simulated/simulation.h"
#include "model/invalid_input.h"

namespace splitbench::proof {
namespace {

using simulated::Noise;
using simulated::Scenario;
using simulated::Simulation;

constexpr int kSamples = 200'001;  // odd: the median is one of them
constexpr int kSessions = 20'000;
constexpr std::uint64_t kSeed = 20'261'130;

bool varies_within_samples(const Noise& noise) {
  return noise.layer_cv > 0.0 || noise.tail.probability > 0.0 || noise.start_s > 0.0;
}

Scenario typical(Scenario scenario) {
  Noise within = {.session = {.distribution = scenario.noise.session.distribution,
                              .rank = scenario.noise.session.rank},
                  .tail = scenario.noise.tail,
                  .layer_cv = scenario.noise.layer_cv,
                  .start_s = scenario.noise.start_s};
  // Its correlation changes no median; by itself, symmetric and common to a whole sample, it
  // changes none either.
  if (varies_within_samples(within)) within.state.sd = scenario.noise.state.sd;
  scenario.noise = within;
  scenario.stamp_s = scenario.stamp_all_ranks_s = 0.0;
  return scenario;
}

double middle(std::vector<double> values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

// Sums over `groups` of the largest of `ranks` values, for each repeat; one group: the largest.
std::vector<double> slowest(const std::vector<double>& seconds, int ranks, int groups) {
  const auto width = static_cast<std::ptrdiff_t>(ranks);
  std::vector<double> sums;
  for (auto at = seconds.begin(); at != seconds.end();) {
    double sum = 0.0;
    for (int group = 0; group < groups; ++group, at += width) {
      sum += *std::max_element(at, at + width);
    }
    sums.push_back(sum);
  }
  return sums;
}

// Seconds, of one session.
struct Medians {
  double serial;
  double serial_all_ranks;
  double compute;
  double shard;
  double collective;
  double unsplit;
  double split;
};
constexpr std::array kMedians{&Medians::serial, &Medians::serial_all_ranks, &Medians::compute,
                              &Medians::shard,  &Medians::collective,       &Medians::unsplit,
                              &Medians::split};

Medians medians(const Setup& setup, const Scenario& scenario, int session, int samples) {
  Simulation simulation(scenario, setup.ranks, kSeed, session);
  const auto run = [&](Arm arm, std::optional<int> device) {
    return simulation.run(setup.operation, {.point = 0, .arm = arm, .device = device}, samples);
  };
  const auto on_one = [&](Arm arm) { return middle(run(arm, 0).seconds); };
  const auto on_all = [&](Arm arm) {
    return middle(slowest(run(arm, {}).seconds, setup.ranks, 1));
  };
  const auto by_layer = [&](Arm arm) {
    return middle(
        slowest(run(arm, {}).layer_seconds, setup.ranks, static_cast<int>(setup.operation.layers)));
  };
  return {.serial = on_one(Arm::serial),
          .serial_all_ranks = by_layer(Arm::serial),
          .compute = on_one(Arm::full),
          .shard = by_layer(Arm::shard),
          .collective = on_all(Arm::collective),
          .unsplit = on_one(Arm::unsplit),
          .split = on_all(Arm::split)};
}

// Geometric means over sessions.
Medians typical_medians(const Setup& setup, const Scenario& scenario) {
  const bool samples_vary = varies_within_samples(scenario.noise);
  const bool sessions_vary = scenario.noise.session.rank > 0.0;
  if (samples_vary && sessions_vary) {
    throw InvalidInput("scenario", "expected ranks to differ by session or by sample, not both");
  }
  if (!sessions_vary) return medians(setup, scenario, 0, samples_vary ? kSamples : 1);
  Medians typical{};
  for (int session = 0; session < kSessions; ++session) {
    const Medians one = medians(setup, scenario, session, 1);
    for (const auto median : kMedians) typical.*median += std::log(one.*median) / kSessions;
  }
  for (const auto median : kMedians) typical.*median = std::exp(typical.*median);
  return typical;
}

}  // namespace

Truth truth_of(const Setup& setup) {
  const Scenario scenario = typical(setup.scenario);
  const Medians found = typical_medians(setup, scenario);
  Truth truth;
  truth.serial = found.serial;
  truth.serial_all_ranks = found.serial_all_ranks;
  truth.compute = found.compute;
  truth.shard = found.shard;
  truth.collective = found.collective;
  truth.t1 = setup.scenario.stamp_s + found.unsplit;
  truth.tn = setup.scenario.stamp_all_ranks_s + found.split;
  const double message = message_bytes(setup.operation).value();
  const auto& segments = scenario.collective;
  const auto segment = std::find_if(segments.begin(), segments.end(), [&](const auto& one) {
    return !one.to_bytes || message <= *one.to_bytes;
  });
  truth.latency = segment->latency_s;
  truth.bandwidth = segment->bandwidth_bytes_per_s;
  truth.efficiency = truth.compute / (setup.ranks * truth.shard);
  truth.speedup = truth.t1 / truth.tn;
  const auto collectives = static_cast<double>(setup.operation.layers);
  const double extra = truth.serial_all_ranks - truth.serial;
  const double cost = collectives * truth.collective + extra;
  truth.break_even = cost / (1.0 - truth.shard / truth.compute);
  const double for_bytes = (truth.compute - truth.shard - extra) / collectives - truth.latency;
  const double on_wire = 2.0 * (setup.ranks - 1) / setup.ranks * message;  // of a ring
  truth.min_bandwidth = on_wire / for_bytes;
  truth.min_efficiency = truth.compute / (setup.ranks * (truth.compute - cost));
  return truth;
}

}  // namespace splitbench::proof

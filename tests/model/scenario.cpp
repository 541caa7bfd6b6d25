#include "tests/model/scenario.h"

#include <array>
#include <cmath>
#include <utility>

namespace splitbench {
namespace {

constexpr std::array kSweep{-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0};  // octaves around V

double collective_seconds(const SplitParameters& p, Bytes wire) {
  return p.latency.value() + wire.value() / p.bandwidth.value();
}

double shard_seconds(const SplitParameters& p) {
  return p.compute.value() / (p.ranks * p.efficiency);
}

// Two stamps more in each layer, one before the collective and one after it.
void stamp_collectives(Block& split, const SplitParameters& p, double empty) {
  split.layers = static_cast<int>(p.collectives);
  for (double& seconds : split.seconds) seconds += 2 * split.layers * empty;
  split.layer_seconds.assign(split.seconds.size() * static_cast<std::size_t>(split.layers),
                             collective_seconds(p, p.bytes) + empty);
}

}  // namespace

Block plain_block(int round, int device, int ranks, int repeats, double seconds) {
  Block block;
  block.round = round;
  block.device = device;
  block.ranks = ranks;
  block.seconds.assign(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(repeats),
                       seconds);
  return block;
}

Block layered_block(int round, int ranks, int layers, int repeats, double seconds, double empty) {
  Block block = plain_block(round, 0, ranks, repeats, seconds + (layers + 1) * empty);
  block.layers = layers;
  block.layer_seconds.assign(block.seconds.size() * static_cast<std::size_t>(layers),
                             seconds / layers + empty);
  return block;
}

ParameterSamples parameter_samples(const Scenario& scenario) {
  using Arm = ParameterArm;
  const SplitParameters& p = scenario.truth;
  const int ranks = p.ranks;
  const int layers = static_cast<int>(p.collectives);
  const int repeats = scenario.repeats;
  const double one = scenario.empty;
  const double all = scenario.empty_all_ranks;
  ParameterSamples samples{.ranks = ranks, .layers = layers, .wire = p.bytes, .sessions = {}};
  for (int s = 0; s < scenario.sessions; ++s) {
    const auto effect = [&](std::string_view work) { return scenario.effect(work, s); };
    ParameterSession session;
    session.session = s;
    for (double octaves : kSweep) {
      session.sweep.push_back({p.bytes * std::exp2(octaves), {}});
    }
    const double serial = p.serial.value() * effect("serial");
    const double extra = p.serial_extra.value();
    const double compute = p.compute.value() * effect("compute");
    const double shard = shard_seconds(p) * effect("shard");
    for (int r = 0; r < scenario.rounds; ++r) {
      auto& arms = session.arms;
      // Rounds take turns at the devices; what they take is the same.
      arms[Arm::empty].push_back(plain_block(r, r % ranks, 1, repeats, one));
      arms[Arm::empty_all_ranks].push_back(plain_block(r, 0, ranks, repeats, all));
      arms[Arm::serial].push_back(layered_block(r, 1, layers, repeats, serial, one));
      arms[Arm::serial_all_ranks].push_back(
          layered_block(r, ranks, layers, repeats, serial + extra, all));
      arms[Arm::full].push_back(plain_block(r, 0, 1, repeats, compute + one));
      arms[Arm::shard].push_back(layered_block(r, ranks, layers, repeats, shard, all));
      arms[Arm::shard_alone].push_back(layered_block(r, 1, layers, repeats, shard, one));
      arms[Arm::shard_alone].back().device = r % ranks;
      arms[Arm::collective].push_back(plain_block(
          r, 0, ranks, repeats, collective_seconds(p, p.bytes) * effect("collective") + all));
      // Back to back nobody waits: half of the fixed cost.
      arms[Arm::collective_pipelined].push_back(
          plain_block(r, 0, ranks, repeats,
                      collective_seconds(p, p.bytes) - p.latency.value() / 2 + all / layers));
      for (SweepSize& size : session.sweep) {
        size.blocks.push_back(plain_block(
            r, 0, ranks, repeats, collective_seconds(p, size.wire) * effect("collective") + all));
      }
    }
    samples.sessions.push_back(session);
  }
  return samples;
}

ValidationSamples validation_samples(const Scenario& scenario) {
  using Arm = ValidationArm;
  const SplitParameters& p = scenario.truth;
  const int repeats = scenario.repeats;
  const int layers = static_cast<int>(p.collectives);
  const double unsplit = p.serial.value() + p.compute.value();
  const double without = p.serial.value() + p.serial_extra.value() + shard_seconds(p);
  const double split = without + layers * collective_seconds(p, p.bytes);
  ValidationSamples samples{
      .ranks = p.ranks, .layers = layers, .fits_one_device = true, .sessions = {}};
  for (int s = 0; s < scenario.sessions; ++s) {
    const auto effect = [&](std::string_view work) { return scenario.effect(work, s); };
    ValidationSession session;
    session.session = s;
    for (int r = 0; r < scenario.rounds; ++r) {
      auto& arms = session.arms;
      arms[Arm::unsplit].push_back(
          plain_block(r, 0, 1, repeats, unsplit * effect("unsplit") + scenario.empty));
      arms[Arm::twin].push_back(
          plain_block(r, 0, 1, repeats, unsplit * effect("twin") + scenario.empty));
      Block whole =
          plain_block(r, 0, p.ranks, repeats, split * effect("split") + scenario.empty_all_ranks);
      if (scenario.stamped_split) stamp_collectives(whole, p, scenario.empty_all_ranks);
      arms[Arm::split].push_back(std::move(whole));
      arms[Arm::split_without_collective].push_back(
          plain_block(r, 0, p.ranks, repeats,
                      without * effect("split_without_collective") + scenario.empty_all_ranks));
    }
    samples.sessions.push_back(session);
  }
  return samples;
}

}  // namespace splitbench

// The whole analysis of a point, from samples to verdicts.
#include "model/analysis.h"

#include <benchmark/benchmark.h>

#include "model/random.h"

namespace splitbench {
namespace {

constexpr int kRanks = 2;
constexpr int kLayers = 4;
constexpr int kRepeats = 4;

Block block(Random& random, int round, int ranks, int layers, double seconds) {
  Block block{.round = round, .ranks = ranks, .layers = layers};
  for (int i = 0; i < kRepeats * ranks; ++i) {
    block.seconds.push_back(seconds * (1.0 + 0.02 * random.uniform()));
  }
  for (int i = 0; i < kRepeats * layers * ranks; ++i) {
    block.layer_seconds.push_back(seconds / layers * (1.0 + 0.02 * random.uniform()));
  }
  return block;
}

ParameterSamples parameters(int sessions, int rounds) {
  using Arm = ParameterArm;
  Random random(1);
  ParameterSamples samples{.ranks = kRanks, .layers = kLayers, .wire = Bytes(2e6), .sessions = {}};
  for (int s = 0; s < sessions; ++s) {
    ParameterSession& session = samples.sessions.emplace_back();
    session.session = s;
    for (const double size : {4e3, 64e3, 1e6, 1.4e6, 1.7e6, 2.4e6, 2.8e6, 4e6}) {
      session.sweep.push_back({.wire = Bytes(size), .blocks = {}});
    }
    for (int r = 0; r < rounds; ++r) {
      const auto add = [&](Arm arm, int ranks, int layers, double seconds) {
        session.arms[arm].push_back(block(random, r, ranks, layers, seconds));
      };
      add(Arm::empty, 1, 0, 1e-6);
      add(Arm::empty_all_ranks, kRanks, 0, 1e-6);
      add(Arm::serial, 1, kLayers, 0.8e-3);
      add(Arm::serial_all_ranks, kRanks, kLayers, 0.8e-3);
      add(Arm::full, 1, 0, 12e-3);
      add(Arm::shard, kRanks, kLayers, 7.5e-3);
      add(Arm::shard_alone, 1, kLayers, 7e-3);
      add(Arm::collective, kRanks, 0, 0.23e-3);
      add(Arm::collective_pipelined, kRanks, 0, 0.22e-3);
      for (SweepSize& size : session.sweep) {
        const double seconds = 30e-6 + size.wire.value() / 10e9;
        size.blocks.push_back(block(random, r, kRanks, 0, seconds));
      }
    }
  }
  return samples;
}

ValidationSamples validation(int sessions, int rounds) {
  using Arm = ValidationArm;
  Random random(2);
  ValidationSamples samples{.ranks = kRanks, .layers = kLayers, .sessions = {}};
  for (int s = 0; s < sessions; ++s) {
    ValidationSession& session = samples.sessions.emplace_back();
    session.session = s;
    for (int r = 0; r < rounds; ++r) {
      session.arms[Arm::unsplit].push_back(block(random, r, 1, 0, 12.8e-3));
      session.arms[Arm::twin].push_back(block(random, r, 1, 0, 12.8e-3));
      session.arms[Arm::split].push_back(block(random, r, kRanks, 0, 9.22e-3));
      session.arms[Arm::split_without_collective].push_back(block(random, r, kRanks, 0, 8.3e-3));
    }
  }
  return samples;
}

// 13 arms and 8 sizes of the sweep; 10 000 resamples of every arm's tail.
void analyse_point(benchmark::State& state) {
  const auto sessions = static_cast<int>(state.range(0));
  const auto rounds = static_cast<int>(state.range(1));
  const ParameterSamples before = parameters(sessions, rounds);
  const ValidationSamples after = validation(sessions, rounds);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(analyse(before, after, {}, 1));
}
BENCHMARK(analyse_point)->Args({6, 5})->Args({20, 20})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace splitbench

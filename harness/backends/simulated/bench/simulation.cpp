// What simulated sessions cost. "items_per_second" is sessions per second.
#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include "harness/backends/simulated/run.h"

namespace {

using namespace splitbench;

// 4 layers on `ranks` ranks, all arms and the default sweep.
Protocol protocol(int ranks, int sessions, int rounds) {
  Protocol protocol;
  protocol.points = {{.tokens = 16, .d_model = 768, .d_ff = std::int64_t{3072} * 64, .layers = 4}};
  for (const auto& arm : arms()) protocol.arms.push_back(arm.value);
  protocol.ranks = ranks;
  protocol.sampling.sessions = sessions;
  protocol.sampling.rounds = rounds;
  return protocol;
}

simulated::Scenario noisy() {
  simulated::Scenario scenario;
  scenario.stamp_s = scenario.stamp_all_ranks_s = 1e-6;
  scenario.noise.session = {.machine = 0.01, .work = 0.01, .arm = 0.005, .rank = 0.002};
  scenario.noise.state = {.sd = 0.01, .autocorrelation = 0.8};
  scenario.noise.tail = {.probability = 0.01, .factor = 0.1, .shape = 3};
  scenario.noise.layer_cv = 0.02;
  return scenario;
}

// Ten sessions of 20 rounds, every noise on; the argument is the repeats of a block.
void TenSessions(benchmark::State& state) {
  Protocol ten = protocol(2, 10, 20);
  for ([[maybe_unused]] auto _ : state) {
    ++ten.seed;
    benchmark::DoNotOptimize(simulated::simulate(noisy(), ten, static_cast<int>(state.range(0))));
  }
  state.SetItemsProcessed(state.iterations() * ten.sampling.sessions);
}
BENCHMARK(TenSessions)->Arg(1)->Arg(4)->Unit(benchmark::kMillisecond);

// The same without noise: what the events alone cost.
void TenQuietSessions(benchmark::State& state) {
  const Protocol ten = protocol(2, 10, 20);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(simulated::simulate({}, ten, 1));
  state.SetItemsProcessed(state.iterations() * ten.sampling.sessions);
}
BENCHMARK(TenQuietSessions)->Unit(benchmark::kMillisecond);

// A session of one round on many ranks.
void ManyRanks(benchmark::State& state) {
  Protocol one = protocol(static_cast<int>(state.range(0)), 1, 1);
  one.sampling.warmup_rounds = 0;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(simulated::simulate(noisy(), one, 1));
  state.SetItemsProcessed(state.iterations());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_bytes"] = 1024.0 * static_cast<double>(usage.ru_maxrss);
}
BENCHMARK(ManyRanks)->RangeMultiplier(16)->Range(16, 65536)->Unit(benchmark::kMillisecond);

}  // namespace

// Breakpoints and lines of a collective's sweep.
#include <benchmark/benchmark.h>

#include <cmath>

#include "model/collective_segments.h"
#include "model/random.h"

namespace splitbench {
namespace {

// Three protocols over 20 octaves, with 2 % of noise.
std::vector<SizeTime> sweep(std::size_t sizes) {
  Random random(1);
  std::vector<SizeTime> points;
  for (std::size_t i = 0; i < sizes; ++i) {
    const double octave = 20.0 * static_cast<double>(i) / static_cast<double>(sizes);
    const double bytes = 512.0 * std::exp2(octave);
    const double jump = octave < 7.0 ? 1.0 : octave < 12.0 ? 1.3 : 2.0;
    const double noise = 1.0 + 0.02 * (2.0 * random.uniform() - 1.0);
    points.push_back({Bytes(bytes), Seconds(noise * jump * (8e-6 + bytes / 200e9))});
  }
  return points;
}

void fit_sweep(benchmark::State& state) {
  const std::vector<SizeTime> points = sweep(static_cast<std::size_t>(state.range(0)));
  for ([[maybe_unused]] auto _ : state) {
    for (const CollectiveSegment& segment : find_segments(points, kSizeNoise)) {
      benchmark::DoNotOptimize(fit_line(points_in(segment, points)));
    }
  }
}
BENCHMARK(fit_sweep)->Arg(9)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace splitbench

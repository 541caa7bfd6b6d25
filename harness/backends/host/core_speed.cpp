#include "harness/backends/host/core_speed.h"

#include <array>
#include <chrono>
#include <numeric>

namespace splitbench::host {
namespace {

// Enough chains of dependent operations to keep the core's units busy.
constexpr int kChains = 64;
constexpr int kSteps = 150'000;

float fixed_work() {
  std::array<float, kChains> chains{};
  for (int step = 0; step < kSteps; ++step) {
    for (float& value : chains) value = value * 0.5F + 1.0F;
  }
  return std::accumulate(chains.begin(), chains.end(), 0.0F);
}

}  // namespace

double fixed_work_seconds() {
  const auto start = std::chrono::steady_clock::now();
  // Kept, or the compiler would leave the work out.
  [[maybe_unused]] volatile float result = fixed_work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace splitbench::host

#include "harness/proof/year.h"

#include <algorithm>
#include <cmath>

#include "harness/backends/simulated/noise.h"
#include "model/random.h"

namespace splitbench::proof {
namespace {

constexpr double kT1 = 12.8e-3;
constexpr double kSpeedup = 1.39;
constexpr double kAnotherMachine = 0.10;  // times of another machine, at most
constexpr double kAnotherRatio = 0.05;    // its speedup, at most
constexpr double kSlowerOrFaster = 0.05;

// Nights of events, ascending and apart: the slack is shared out at random.
std::vector<std::size_t> event_nights(const YearPlan& plan, Random& random) {
  const std::size_t count = plan.regressions + plan.machine_changes;
  const std::size_t slack = plan.nights - (count + 1) * plan.apart;
  std::vector<std::size_t> nights;
  for (std::size_t i = 0; i < count; ++i) nights.push_back(random.below(slack));
  std::sort(nights.begin(), nights.end());
  for (std::size_t i = 0; i < count; ++i) nights[i] += (i + 1) * plan.apart;
  return nights;
}

double uniform(Random& random, double reach) {
  return reach * (2.0 * random.uniform() - 1.0);
}

// The standard error that so many sessions find where it truly is `sd`.
double found_spread(double sd, int sessions, simulated::Draws& draws) {
  double squares = 0.0;
  for (int i = 0; i + 1 < sessions; ++i) {
    const double draw = draws.normal();
    squares += draw * draw;
  }
  return sd * std::sqrt(squares / (sessions - 1));
}

}  // namespace

std::vector<Night> simulated_year(const YearPlan& plan, std::uint64_t seed) {
  Random random(mix64(seed));
  simulated::Draws draws{seed, 1};
  const std::vector<std::size_t> events = event_nights(plan, random);
  std::vector<int> regresses(plan.regressions, 1);
  regresses.resize(events.size(), 0);
  random.shuffle(regresses);

  std::vector<Night> year(plan.nights);
  double times = std::log(kT1);
  double ratio = std::log(kSpeedup);
  std::size_t event = 0;
  for (std::size_t n = 0; n < plan.nights; ++n) {
    Night& night = year[n];
    if (event < events.size() && events[event] == n) {
      night.regressed = regresses[event] == 1;
      night.machine_changed = !night.regressed;
      ++event;
    }
    if (night.regressed) ratio += std::log(1.0 - plan.regression);
    if (night.machine_changed && plan.change == MachineChange::another_machine) {
      night.another_machine = true;
      times += uniform(random, kAnotherMachine);
      ratio += uniform(random, kAnotherRatio);
    } else if (night.machine_changed) {
      times += random.below(2) == 0 ? kSlowerOrFaster : -kSlowerOrFaster;
    }
    const double t1 = times + plan.common_sd * draws.normal();
    const double own = plan.ratio_sd * draws.normal();
    night.t1 = std::exp(t1);
    night.tn = std::exp(t1 - ratio - own);
    night.confirming_speedup = std::exp(ratio + plan.ratio_sd * draws.normal());
    night.spread = found_spread(plan.ratio_sd, plan.sessions, draws);
  }
  return year;
}

}  // namespace splitbench::proof

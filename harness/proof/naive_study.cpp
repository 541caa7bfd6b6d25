#include "harness/proof/naive_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "harness/backends/simulated/simulation.h"
#include "harness/proof/family.h"
#include "harness/proof/intervals.h"
#include "harness/proof/truth.h"
#include "model/distributions.h"
#include "model/sessions.h"

namespace splitbench::proof {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::size_t, 3> kSessions{6, 10, 20};
constexpr std::array kNames{"normal", "t3", "ar1", "tails", "drift"};
constexpr double kConfidence = 0.95;
constexpr double kNormal = 1.959964;  // 97.5 % of the normal distribution
constexpr int kMostSamples = 1000;

struct Seen {
  Proportion covered;
  double width = 0.0;  // relative, summed

  void add(Interval interval, double truth) {
    covered.add(interval.contains(truth));
    width += (interval.high - interval.low) / truth;
  }
  Json mean_width() const { return 100.0 * width / static_cast<double>(covered.trials); }
};

struct Methods {
  Seen ours;
  Seen pooled;
  Seen paired;
  Seen apart;
};

// All samples of C of all sessions, as if from one.
std::vector<double> pooled(const ParameterSamples& samples, double empty) {
  std::vector<double> all;
  for (const ParameterSession& session : samples.sessions) {
    for (const Block& block : session.arms[ParameterArm::full]) {
      for (const double seconds : block.seconds) all.push_back(seconds - empty);
    }
  }
  return all;
}

// ln eta from the two means of logarithms, their errors added as if independent.
Interval apart(const std::vector<SessionEstimate>& sessions, int ranks) {
  const auto logs = [&sessions](auto member) {
    std::vector<double> values = present(sessions, member);
    for (double& value : values) value = std::log(value);
    return *mean(values, kConfidence, "value");
  };
  const Estimate compute = logs(&SessionEstimate::compute);
  const Estimate shard = logs(&SessionEstimate::shard);
  const auto count = static_cast<double>(compute.sessions);
  const double error = std::hypot(compute.session_sd, shard.session_sd) / std::sqrt(count);
  const double reach =
      student_quantile(0.5 + kConfidence / 2.0, static_cast<int>(compute.sessions) - 1) * error;
  const double center = compute.value - shard.value - std::log(ranks);
  return {std::exp(center - reach), std::exp(center + reach)};
}

void try_methods(Methods& methods, const PointSamples& samples, const Truth& truth,
                 const Setup& setup, Sabotage sabotage) {
  const Parameters found = analysis_of(samples, sabotage).forecast.parameters;
  methods.ours.add(*found.compute->interval, truth.compute);
  methods.pooled.add(
      independent_median_interval(pooled(samples.parameters, setup.scenario.stamp_s), kConfidence),
      truth.compute);
  methods.paired.add(*found.efficiency->interval, truth.efficiency);
  methods.apart.add(apart(found.sessions, setup.ranks), truth.efficiency);
}

Interval interval_when_quiet(const Setup& setup, std::uint64_t seed) {
  simulated::Simulation simulation(setup.scenario, setup.ranks, seed, 0);
  std::vector<double> samples =
      simulation.run(setup.operation, {.point = 0, .arm = Arm::full, .device = 0}, kMostSamples)
          .seconds;
  samples.resize(samples_until_quiet(samples));
  const Estimate found = *mean(samples, kConfidence, "C");
  const double reach = kNormal * found.session_sd / std::sqrt(static_cast<double>(samples.size()));
  const double center = found.value - setup.scenario.stamp_s;
  return {center - reach, center + reach};
}

void add_row(Study& study, const Family& family, const char* of, const char* method,
             const Json& sessions, const Seen& seen) {
  study.rows.push_back({{"noise", family.name},
                        {"of", of},
                        {"method", method},
                        {"sessions", sessions},
                        {"covers", share_json(seen.covered)},
                        {"mean width, % of the value", seen.mean_width()}});
}

bool chosen(const Family& family) {
  return std::count(kNames.begin(), kNames.end(), family.name) > 0;
}

}  // namespace

std::size_t samples_until_quiet(const std::vector<double>& samples) {
  constexpr std::size_t kFewest = 10;
  constexpr std::size_t kRemembered = 64;
  double sum = 0.0;
  double squares = 0.0;
  std::vector<double> noise;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    sum += samples[i];
    squares += samples[i] * samples[i];
    const auto count = static_cast<double>(i + 1);
    if (i + 1 < kFewest) continue;
    const double center = sum / count;
    const double variance = std::max(squares - count * center * center, 0.0) / (count - 1.0);
    noise.push_back(std::sqrt(variance) / center);
    if (noise.back() < 0.005) return i + 1;
    if (noise.size() < kRemembered) continue;
    const Estimate settled = *mean(std::span(noise).last(kRemembered), kConfidence, "noise");
    if (settled.session_sd < 0.05 * settled.value) return i + 1;
  }
  return samples.size();
}

std::vector<Study> naive_intervals(const Order& order, Ticker& ticker) {
  Study study{.name = "naive intervals",
              .about =
                  "95 % intervals as they are often made. `pooled`: of the median of all "
                  "samples, as if independent. `when quiet`: one session, sampled until its "
                  "noise is small or settled. `apart`: eta from C and C_shard without pairing "
                  "sessions."};
  std::vector<Family> all = families();
  std::erase_if(all, [](const Family& family) { return !chosen(family); });
  ticker.begin("naive", static_cast<long>(all.size()) * order.seeds);
  for (std::size_t f = 0; f < all.size(); ++f) {
    Setup setup = all[f].setup;
    setup.arms = {Arm::empty, Arm::full, Arm::shard};
    const Truth truth = truth_of(setup);
    std::array<Methods, kSessions.size()> seen;
    Seen quiet;
    for (int run = 0; run < order.seeds; ++run) {
      const std::uint64_t seed = run_seed(order, "naive", f, run);
      PointSamples samples = simulated_samples(setup, static_cast<int>(kSessions.back()), seed);
      for (std::size_t n = kSessions.size(); n-- > 0;) {
        keep_first(samples, kSessions[n]);
        try_methods(seen[n], samples, truth, setup, order.sabotage);
      }
      quiet.add(interval_when_quiet(setup, seed), truth.compute);
      ticker.step();
    }
    for (std::size_t n = 0; n < kSessions.size(); ++n) {
      add_row(study, all[f], "C", "over sessions", kSessions[n], seen[n].ours);
      add_row(study, all[f], "C", "pooled", kSessions[n], seen[n].pooled);
      add_row(study, all[f], "eta", "paired", kSessions[n], seen[n].paired);
      add_row(study, all[f], "eta", "apart", kSessions[n], seen[n].apart);
    }
    add_row(study, all[f], "C", "when quiet", 1, quiet);
  }
  ticker.end();
  return {std::move(study)};
}

}  // namespace splitbench::proof

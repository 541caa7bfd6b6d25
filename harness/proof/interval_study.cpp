#include "harness/proof/interval_study.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/proof/family.h"
#include "harness/proof/intervals.h"
#include "harness/proof/truth.h"

namespace splitbench::proof {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::size_t, 3> kSessions{6, 10, 20};
constexpr std::size_t kResamples = 999;
constexpr double kConfidence = 0.95;
constexpr std::array kNames{"normal", "t3", "ar1", "exponential", "lognormal", "bimodal"};

struct Seen {
  Proportion covered;
  double width = 0.0;  // summed

  void add(Interval interval, double truth) {
    covered.add(interval.contains(truth));
    width += interval.high - interval.low;
  }
  // In percent of the value, as all is logarithms.
  Json mean_width() const { return 100.0 * width / static_cast<double>(covered.trials); }
};

struct Methods {
  Seen t;
  Seen hierarchical;
  Seen percentile;
  Seen bca;
  Seen bootstrap_t;
};

// ln C of each round of a session.
using Rounds = std::vector<double>;

std::vector<Rounds> rounds_of(const ParameterSamples& samples) {
  std::vector<Rounds> sessions;
  for (const ParameterSession& session : samples.sessions) {
    const double empty = *session_median(session.arms[ParameterArm::empty], longest_rank);
    Rounds& rounds = sessions.emplace_back();
    for (const Block& block : session.arms[ParameterArm::full]) {
      rounds.push_back(std::log(median(block.seconds) - empty));
    }
  }
  return sessions;
}

void try_methods(Methods& methods, std::span<const Rounds> sessions, double truth, Random& random) {
  std::vector<double> values;
  for (const Rounds& rounds : sessions) values.push_back(median(rounds));
  methods.t.add(*mean(values, kConfidence, "C")->interval, truth);
  methods.hierarchical.add(
      percentile_interval(hierarchically_resampled(sessions, kResamples, random), kConfidence),
      truth);
  const Resamples resamples = resampled(values, kResamples, random);
  methods.percentile.add(percentile_interval(resamples.means, kConfidence), truth);
  methods.bca.add(bca_interval(values, resamples.means, kConfidence), truth);
  methods.bootstrap_t.add(bootstrap_t_interval(values, resamples, kConfidence), truth);
}

bool chosen(const Family& family) {
  return std::count(kNames.begin(), kNames.end(), family.name) > 0;
}

}  // namespace

std::vector<Study> interval_methods(const Order& order, Ticker& ticker) {
  Study study{.name = "interval methods",
              .about =
                  "95 % intervals of C by five methods on the same runs: coverage, and mean "
                  "width in percent of C. Bootstraps of 999 resamples; `hierarchical` draws "
                  "sessions, then rounds."};
  std::vector<Family> all = families();
  std::erase_if(all, [](const Family& family) { return !chosen(family); });
  ticker.begin("intervals", static_cast<long>(all.size()) * order.seeds);
  for (std::size_t f = 0; f < all.size(); ++f) {
    Setup setup = all[f].setup;
    setup.arms = {Arm::empty, Arm::full};
    const double truth = std::log(truth_of(setup).compute);
    std::array<Methods, kSessions.size()> seen;
    for (int run = 0; run < order.seeds; ++run) {
      const std::uint64_t seed = run_seed(order, "intervals", f, run);
      const std::vector<Rounds> rounds =
          rounds_of(simulated_samples(setup, static_cast<int>(kSessions.back()), seed).parameters);
      Random random(seed);
      for (std::size_t n = 0; n < kSessions.size(); ++n) {
        try_methods(seen[n], std::span(rounds).first(kSessions[n]), truth, random);
      }
      ticker.step();
    }
    for (std::size_t n = 0; n < kSessions.size(); ++n) {
      Json row = {{"noise", all[f].name}, {"sessions", kSessions[n]}};
      const auto add = [&row](const std::string& name, const Seen& one) {
        row[name] = share_json(one.covered);
        row[name + " width"] = one.mean_width();
      };
      add("t", seen[n].t);
      add("hierarchical", seen[n].hierarchical);
      add("percentile", seen[n].percentile);
      add("BCa", seen[n].bca);
      add("bootstrap-t", seen[n].bootstrap_t);
      study.rows.push_back(std::move(row));
    }
  }
  ticker.end();
  return {std::move(study)};
}

}  // namespace splitbench::proof

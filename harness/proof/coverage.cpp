#include "harness/proof/coverage.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "harness/proof/truth.h"

namespace splitbench::proof {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::size_t, 3> kSessions{6, 10, 20};
constexpr Interval kCovers{0.93, 0.97};

// Whether a run's 95 % interval of one parameter holds the truth; no interval holds nothing.
using Holds = bool (*)(const PointAnalysis& analysis, const Truth& truth);

bool holds(const Answer<Estimate>& estimate, double truth) {
  return estimate && estimate->interval && estimate->interval->contains(truth);
}

struct Parameter {
  const char* name;
  Holds holds;
};

const std::array kParameters{
    Parameter{"S", [](const PointAnalysis& a,
                      const Truth& t) { return holds(a.forecast.parameters.serial, t.serial); }},
    Parameter{"C", [](const PointAnalysis& a,
                      const Truth& t) { return holds(a.forecast.parameters.compute, t.compute); }},
    Parameter{"eta",
              [](const PointAnalysis& a, const Truth& t) {
                return holds(a.forecast.parameters.efficiency, t.efficiency);
              }},
    Parameter{"l", [](const PointAnalysis& a,
                      const Truth& t) { return holds(a.forecast.parameters.latency, t.latency); }},
    Parameter{"B",
              [](const PointAnalysis& a, const Truth& t) {
                return holds(a.forecast.parameters.bandwidth, t.bandwidth);
              }},
    Parameter{"predicted T_N",
              [](const PointAnalysis& a, const Truth& t) {
                return holds(a.forecast.prediction.point, t.tn);
              }},
    Parameter{"T_N from l and B",
              [](const PointAnalysis& a, const Truth& t) {
                return holds(a.forecast.prediction.from_fit, t.tn);
              }},
    Parameter{"predicted speedup",
              [](const PointAnalysis& a, const Truth& t) {
                return holds(a.forecast.prediction.speedup, t.speedup);
              }},
    Parameter{"measured speedup",
              [](const PointAnalysis& a, const Truth& t) {
                return holds(a.measured.speedup, t.speedup);
              }},
    Parameter{"C*", [](const PointAnalysis& a, const Truth& t) {
                const Answer<RealSet>& set = a.forecast.parameters.break_even_compute.set;
                return set && set->contains(t.break_even);
              }}};

struct Counts {
  std::array<Proportion, kParameters.size()> covered;
  Proportion unbounded_break_even;
  Proportion twin_differs;     // its 90 % interval leaves 0 out
  Proportion twin_not_passed;  // it does not lie inside +-1 %

  void add(const PointAnalysis& analysis, const Truth& truth) {
    for (std::size_t i = 0; i < kParameters.size(); ++i) {
      covered[i].add(kParameters[i].holds(analysis, truth));
    }
    const Answer<RealSet>& set = analysis.forecast.parameters.break_even_compute.set;
    unbounded_break_even.add(set && !set->contains(0.0) && set->contains(1e9));
    const SelfComparison& self = analysis.self;
    if (self.log_ratio && self.log_ratio->interval) {
      twin_differs.add(!self.log_ratio->interval->contains(0.0));
      twin_not_passed.add(!*self.passed);
    }
  }
};

void add_rows(Study& intervals, Study& twins, const Family& family, std::size_t sessions,
              const Counts& counts) {
  Json row = {{"noise", family.name}, {"sessions", sessions}};
  for (std::size_t i = 0; i < kParameters.size(); ++i) {
    row[kParameters[i].name] = share_json(counts.covered[i]);
    if (!family.must_cover) continue;
    intervals.claims.push_back(claim(fmt::format("coverage of {}, {} noise, {} sessions",
                                                 kParameters[i].name, family.name, sessions),
                                     counts.covered[i], kCovers));
  }
  row["C* unbounded"] = share_json(counts.unbounded_break_even);
  intervals.rows.push_back(std::move(row));
  twins.rows.push_back({{"noise", family.name},
                        {"sessions", sessions},
                        {"90 % interval excludes 0", share_json(counts.twin_differs)},
                        {"not within 1 %", share_json(counts.twin_not_passed)}});
  if (family.must_cover) {
    twins.claims.push_back(
        claim(fmt::format("twin differs by chance, {} noise, {} sessions", family.name, sessions),
              counts.twin_differs, {0.0, 0.13}));
  }
}

}  // namespace

std::vector<Study> coverage(const Order& order, Ticker& ticker) {
  Study intervals{.name = "coverage",
                  .about =
                      "Share of runs whose 95 % interval holds the truth. Asked: 93 to 97 % "
                      "where sessions differ symmetrically."};
  Study twins{.name = "twin",
              .about =
                  "The same work under two names, in the runs of `coverage`: how often its "
                  "90 % interval excludes that both are equal (10 % is meant)."};
  const std::vector<Family> all = families();
  ticker.begin("coverage", static_cast<long>(all.size()) * order.seeds);
  for (std::size_t f = 0; f < all.size(); ++f) {
    const Truth truth = truth_of(all[f].setup);
    std::array<Counts, kSessions.size()> counts;
    for (int run = 0; run < order.seeds; ++run) {
      PointSamples samples = simulated_samples(all[f].setup, static_cast<int>(kSessions.back()),
                                               run_seed(order, "coverage", f, run));
      for (std::size_t n = kSessions.size(); n-- > 0;) {
        keep_first(samples, kSessions[n]);
        counts[n].add(analysis_of(samples, order.sabotage), truth);
      }
      ticker.step();
    }
    for (std::size_t n = 0; n < kSessions.size(); ++n) {
      add_rows(intervals, twins, all[f], kSessions[n], counts[n]);
    }
  }
  ticker.end();
  return {std::move(intervals), std::move(twins)};
}

}  // namespace splitbench::proof

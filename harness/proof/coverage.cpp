#include "harness/proof/coverage.h"

#include <fmt/format.h>

#include <algorithm>
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

bool holds(const BreakEven& break_even, double truth) {
  return break_even.set && break_even.set->contains(truth);
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
    Parameter{"C*",
              [](const PointAnalysis& a, const Truth& t) {
                return holds(a.forecast.parameters.break_even_compute, t.break_even);
              }},
    Parameter{"B_min",
              [](const PointAnalysis& a, const Truth& t) {
                return holds(a.forecast.parameters.min_bandwidth, t.min_bandwidth);
              }},
    Parameter{"eta_min", [](const PointAnalysis& a, const Truth& t) {
                return holds(a.forecast.parameters.min_efficiency, t.min_efficiency);
              }}};

bool says_not_steady(const std::vector<ArmSummary>& arms) {
  return std::any_of(arms.begin(), arms.end(), [](const ArmSummary& arm) {
    const Answer<bool> steady = is_steady(arm, AcceptanceCriteria().least_effect);
    return steady && !*steady;
  });
}

struct Counts {
  std::array<Proportion, kParameters.size()> covered;
  Proportion unbounded_break_even;
  Proportion twin_differs;     // its 90 % interval leaves 0 out
  Proportion twin_not_passed;  // it does not lie inside +-1 %
  Proportion not_steady;       // some arm is said to change from round to round

  void add(const PointAnalysis& analysis, const Truth& truth) {
    for (std::size_t i = 0; i < kParameters.size(); ++i) {
      covered[i].add(kParameters[i].holds(analysis, truth));
    }
    const Answer<RealSet>& set = analysis.forecast.parameters.break_even_compute.set;
    unbounded_break_even.add(set && !set->contains(0.0) && set->contains(1e9));
    not_steady.add(says_not_steady(analysis.forecast.arms) || says_not_steady(analysis.arms));
    const SelfComparison& self = analysis.self;
    if (self.log_ratio && self.log_ratio->interval) {
      twin_differs.add(!self.log_ratio->interval->contains(0.0));
      twin_not_passed.add(!*self.passed);
    }
  }
};

struct Studies {
  Study intervals;
  Study twins;
  Study steadiness;
};

void add_rows(Studies& studies, const Family& family, std::size_t sessions, const Counts& counts) {
  auto& [intervals, twins, steadiness] = studies;
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
  steadiness.rows.push_back({{"noise", family.name},
                             {"sessions", sessions},
                             {"not steady", share_json(counts.not_steady)}});
  if (!family.must_cover) return;
  twins.claims.push_back(
      claim(fmt::format("twin differs by chance, {} noise, {} sessions", family.name, sessions),
            counts.twin_differs, {0.0, 0.13}));
  steadiness.claims.push_back(
      claim(fmt::format("not steady by chance, {} noise, {} sessions", family.name, sessions),
            counts.not_steady, {0.0, 0.01}));
}

}  // namespace

std::vector<Study> coverage(const Order& order, Ticker& ticker) {
  Studies studies{
      .intervals = {.name = "coverage",
                    .about = "Share of runs whose 95 % interval holds the truth. Asked: 93 to 97 % "
                             "where sessions differ symmetrically."},
      .twins = {.name = "twin",
                .about = "The same work under two names, in the runs of `coverage`: how often its "
                         "90 % interval excludes that both are equal (10 % is meant)."},
      .steadiness = {.name = "steadiness",
                     .about =
                         "How often some arm is said to change from round to round, in the runs of "
                         "`coverage` (1 % is meant where none does; times drift in `drift`)."}};
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
      add_rows(studies, all[f], kSessions[n], counts[n]);
    }
  }
  ticker.end();
  return {std::move(studies.intervals), std::move(studies.twins), std::move(studies.steadiness)};
}

}  // namespace splitbench::proof

#include "harness/proof/year_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace splitbench::proof {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kInTime = 3;  // nights, that of the regression included

struct Case {
  const char* name;
  MachineChange change;
};
constexpr std::array kCases{Case{"another machine", MachineChange::another_machine},
                            Case{"times 5 % off", MachineChange::slower_or_faster}};

struct Tally {
  Proportion all_in_time;
  Proportion quiet;  // at most one false alarm
  Proportion both;
  std::vector<double> in_time;
  std::vector<double> late;
  std::vector<double> false_alarms;

  void add(const YearSeen& seen, std::size_t regressions) {
    const bool found = seen.in_time == regressions;
    const bool calm = seen.false_alarms <= 1;
    all_in_time.add(found);
    quiet.add(calm);
    both.add(found && calm);
    in_time.push_back(static_cast<double>(seen.in_time));
    late.push_back(static_cast<double>(seen.late));
    false_alarms.push_back(static_cast<double>(seen.false_alarms));
  }
};

Json row(const Case& scene, const NamedWatch& watch, const Tally& tally) {
  return {{"machine changes", scene.name},
          {"watched by", watch.name},
          {"all found, at most 1 false", share_json(tally.both)},
          {"all found in 3 nights", share_json(tally.all_in_time)},
          {"at most 1 false", share_json(tally.quiet)},
          {"found a year", mean_json(tally.in_time)},
          {"late a year", mean_json(tally.late)},
          {"false a year", mean_json(tally.false_alarms)}};
}

Json event(const Night& night) {
  if (night.regressed) return "regression";
  if (night.machine_changed) return "another machine";
  return nullptr;
}

// The first year of the first case, night by night, as the gate sees it.
Study one_year(const Order& order) {
  const NamedWatch& gate = watches().front();
  const auto year = simulated_year({}, run_seed(order, "year", 0, 0));
  const auto alarms = alarm_nights(year, *gate.make());
  Study study{
      .name = "one year",
      .about = fmt::format("The first of the years of `a year of nights`, {}, watched by {}.",
                           kCases.front().name, gate.name)};
  for (std::size_t n = 0; n < year.size(); ++n) {
    const bool alarm = std::binary_search(alarms.begin(), alarms.end(), n);
    study.rows.push_back({{"night", n + 1},
                          {"speedup", year[n].t1 / year[n].tn},
                          {"event", event(year[n])},
                          {"alarm", alarm ? Json("alarm") : Json(nullptr)}});
  }
  return study;
}

}  // namespace

std::vector<std::size_t> alarm_nights(const std::vector<Night>& year, Watch& watch) {
  std::vector<std::size_t> nights;
  for (std::size_t n = 0; n < year.size(); ++n) {
    if (year[n].another_machine) watch.forget();
    if (!watch.alarms(year[n])) continue;
    watch.accept(year[n]);
    nights.push_back(n);
  }
  return nights;
}

YearSeen watched(const std::vector<Night>& year, Watch& watch) {
  const std::vector<std::size_t> alarms = alarm_nights(year, watch);
  YearSeen seen;
  std::optional<std::size_t> since;  // the night of a regression that is not found yet
  const auto give_up = [&] {
    if (since) ++seen.missed;
    since.reset();
  };
  for (std::size_t n = 0; n < year.size(); ++n) {
    const Night& night = year[n];
    if (night.regressed || night.machine_changed) give_up();
    if (night.regressed) since = n;
    if (!std::binary_search(alarms.begin(), alarms.end(), n)) continue;
    if (!since) {
      ++seen.false_alarms;
    } else {
      ++(n < *since + kInTime ? seen.in_time : seen.late);
    }
    since.reset();
  }
  give_up();
  return seen;
}

std::vector<Study> year_of_nights(const Order& order, Ticker& ticker) {
  const YearPlan plan;
  Study study{.name = "a year of nights",
              .about = fmt::format(
                  "{} nightly runs; noise of 2 % common to T1 and T_N, 0.7 % of the ratio's own; "
                  "3 regressions of 3 % and 2 changes of the machine, 20 nights apart. Every "
                  "alarm is accepted in its night. Of a machine whose times move by 5 % an alarm "
                  "of T_N is counted as false, though it is what T_N is watched for.",
                  plan.nights)};
  ticker.begin("year", static_cast<long>(kCases.size()) * order.seeds);
  for (std::size_t c = 0; c < kCases.size(); ++c) {
    YearPlan scene = plan;
    scene.change = kCases[c].change;
    std::vector<Tally> tallies(watches().size());
    for (int run = 0; run < order.seeds; ++run) {
      const auto year = simulated_year(scene, run_seed(order, "year", c, run));
      for (std::size_t w = 0; w < tallies.size(); ++w) {
        tallies[w].add(watched(year, *watches()[w].make()), plan.regressions);
      }
      ticker.step();
    }
    for (std::size_t w = 0; w < tallies.size(); ++w) {
      study.rows.push_back(row(kCases[c], watches()[w], tallies[w]));
    }
    // Where times move, T_N's alarms are meant.
    const std::size_t judged = scene.change == MachineChange::another_machine ? 0 : 1;
    study.claims.push_back(claim(fmt::format("years with all regressions found in three nights "
                                             "and at most one false alarm, {}, {}",
                                             kCases[c].name, watches()[judged].name),
                                 tallies[judged].both, {0.95, 1.0}));
  }
  ticker.end();
  return {std::move(study), one_year(order)};
}

}  // namespace splitbench::proof

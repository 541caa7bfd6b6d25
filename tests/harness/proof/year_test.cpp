// The simulated year is what it says, alarms are counted as they should be, and the gate finds what
// there is in years of fixed seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/proof/year_study.h"
#include "model/statistics.h"

namespace splitbench::proof {
namespace {

TEST(SimulatedYear, HasItsEventsApart) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto year = simulated_year({}, seed);
    ASSERT_EQ(year.size(), 365U);
    std::size_t regressions = 0;
    std::size_t changes = 0;
    std::size_t last = 0;
    for (std::size_t n = 0; n < year.size(); ++n) {
      if (!year[n].regressed && !year[n].machine_changed) continue;
      regressions += year[n].regressed ? 1 : 0;
      changes += year[n].machine_changed ? 1 : 0;
      EXPECT_GE(n - last, 20U) << seed;
      last = n;
    }
    EXPECT_EQ(regressions, 3U);
    EXPECT_EQ(changes, 2U);
    EXPECT_LE(last, 345U);
  }
}

// 3650 nights know a standard deviation to 1.2 %; 4 % is more than three times that.
TEST(SimulatedYear, HasTheNoiseThatWasPlanned) {
  YearPlan quiet;
  quiet.nights = 3650;
  quiet.regressions = 0;
  quiet.machine_changes = 0;
  std::vector<double> times;
  std::vector<double> ratios;
  for (const Night& night : simulated_year(quiet, 1)) {
    times.push_back(night.t1);
    ratios.push_back(night.t1 / night.tn);
  }
  EXPECT_NEAR(log_mean(times, 0.95, "t1")->session_sd, 0.02, 0.0008);
  EXPECT_NEAR(log_mean(ratios, 0.95, "ratio")->session_sd, 0.007, 0.00028);
  EXPECT_NEAR(log_mean(ratios, 0.95, "ratio")->value, 1.39, 0.001);
}

TEST(SimulatedYear, LosesThreePercentWithEachRegression) {
  YearPlan plan;
  plan.machine_changes = 0;
  plan.ratio_sd = 0.0;
  const auto year = simulated_year(plan, 5);
  EXPECT_NEAR(year.back().t1 / year.back().tn, 1.39 * 0.97 * 0.97 * 0.97, 1e-9);
}

// Alarms in the nights it is told, from 0.
class Scripted final : public Watch {
 public:
  explicit Scripted(std::vector<std::size_t> nights) : nights_(std::move(nights)) {}
  bool alarms(const Night&) override {
    return std::count(nights_.begin(), nights_.end(), night_++) > 0;
  }
  void accept(const Night&) override {}
  void forget() override {}

 private:
  std::vector<std::size_t> nights_;
  std::size_t night_ = 0;
};

TEST(Watched, CountsWhatIsFoundLateMissedAndFalse) {
  std::vector<Night> year(100);
  year[20].regressed = true;
  year[40].regressed = true;
  year[60].regressed = true;
  year[80].machine_changed = true;
  Scripted watch({5, 22, 23, 43, 90});
  const YearSeen seen = watched(year, watch);
  EXPECT_EQ(seen.in_time, 1U) << "20, in its third night";
  EXPECT_EQ(seen.late, 1U) << "40, in its fourth";
  EXPECT_EQ(seen.missed, 1U) << "60: 80 is another event";
  EXPECT_EQ(seen.false_alarms, 3U) << "5, 23 and 90";
}

// 40 years of fixed seeds; the whole study is 'splitbench-selftest --seeds 1000 --studies year'.
TEST(YearOfNights, TheGateFindsWhatThereIsAndLittleElse) {
  std::vector<int> good(watches().size(), 0);
  std::vector<std::size_t> found(watches().size(), 0);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto year = simulated_year({}, seed);
    for (std::size_t w = 0; w < watches().size(); ++w) {
      const YearSeen seen = watched(year, *watches()[w].make());
      good[w] += seen.in_time == 3 && seen.false_alarms <= 1 ? 1 : 0;
      found[w] += seen.in_time + seen.late;
    }
  }
  EXPECT_GE(good[0], 38) << watches()[0].name << ": 95 % of 40";
  EXPECT_GE(good[1], 38) << watches()[1].name;
  EXPECT_EQ(found[2], 0U) << watches()[2].name << ": 3 % are not 5";
  EXPECT_LT(good[3], good[0]) << watches()[3].name;
  EXPECT_LT(good[4], good[3]) << watches()[4].name;
}

}  // namespace
}  // namespace splitbench::proof

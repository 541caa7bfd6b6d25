// Chance, by its moments and quantiles: fixed seeds, and tolerances of at least five standard
// errors of what is estimated.
#include "harness/backends/simulated/noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "harness/backends/simulated/simulation.h"
#include "tests/harness/simulated/worked.h"

namespace splitbench::simulated {
namespace {

using Values = std::vector<double>;

double mean(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Of values `lag` apart, about the mean of all.
double covariance(const Values& values, std::size_t lag) {
  const double middle = mean(values);
  double sum = 0.0;
  for (std::size_t i = lag; i < values.size(); ++i) {
    sum += (values[i] - middle) * (values[i - lag] - middle);
  }
  return sum / static_cast<double>(values.size() - lag);
}

double sd(const Values& values) {
  return std::sqrt(covariance(values, 0));
}

double share_above(const Values& values, double limit) {
  const auto above =
      std::count_if(values.begin(), values.end(), [limit](double value) { return value > limit; });
  return static_cast<double>(above) / static_cast<double>(values.size());
}

Values drawn(Distribution distribution) {
  Draws draws{42};
  Values values(200'000);
  for (double& value : values) value = standardised(distribution, draws);
  return values;
}

Values logs(Values values, double of) {
  for (double& value : values) value = std::log(value / of);
  return values;
}

constexpr double kFull = 12e-3;  // s, of the worked case

// ln of `count` samples of `full` over their truth, one after another in one session.
Values log_samples(const Noise& noise, int count, int session = 0) {
  Scenario scenario = worked_scenario();
  scenario.noise = noise;
  Simulation simulation(scenario, 2, 7, session);
  return logs(simulation.run(worked_operation(), on_rank(Arm::full, 0), count).seconds, kFull);
}

// Standard errors with 200 000 values: 0.0022 of a mean, 0.0016 of the normal's sd.
TEST(Distributions, HaveMeanZeroAndStandardDeviationOne) {
  for (const Distribution each :
       {Distribution::normal, Distribution::exponential, Distribution::bimodal}) {
    EXPECT_NEAR(mean(drawn(each)), 0.0, 0.012) << static_cast<int>(each);
    EXPECT_NEAR(sd(drawn(each)), 1.0, 0.025) << static_cast<int>(each);
  }
  // Their fourth moments are huge or none, so the spread of a sample says little.
  EXPECT_NEAR(mean(drawn(Distribution::t3)), 0.0, 0.012);
  EXPECT_NEAR(mean(drawn(Distribution::lognormal)), 0.0, 0.012);
}

// Tabulated quantiles, divided by the standard deviation where that is not 1.
TEST(Distributions, HaveTheTailsOfTheirNames) {
  EXPECT_NEAR(share_above(drawn(Distribution::normal), 1.95996), 0.025, 0.002);
  // t_3: 97.5 % at 3.18245, variance 3.
  EXPECT_NEAR(share_above(drawn(Distribution::t3), 3.18245 / std::sqrt(3.0)), 0.025, 0.002);
  EXPECT_NEAR(share_above(drawn(Distribution::t3), -3.18245 / std::sqrt(3.0)), 0.975, 0.002);
  // Exponential of mean 1: 5 % above ln 20.
  EXPECT_NEAR(share_above(drawn(Distribution::exponential), std::log(20.0) - 1.0), 0.05, 0.003);
  // Log-normal, sigma 1: 97.5 % at e^1.95996 = 7.09906, mean 1.64872, variance 4.67077.
  EXPECT_NEAR(share_above(drawn(Distribution::lognormal), (7.09906 - 1.64872) / 2.16120), 0.025,
              0.002);
  EXPECT_NEAR(share_above(drawn(Distribution::bimodal), 0.0), 0.2, 0.005);
}

// Stationary: sd 1 %, correlation 0.8 at a distance of one sample and 0.64 at two.
TEST(SessionNoise, TheMachinesStateIsAutoregressive) {
  const Values values = log_samples({.state = {.sd = 0.01, .autocorrelation = 0.8}}, 100'000);
  EXPECT_NEAR(mean(values), 0.0, 0.0005);
  EXPECT_NEAR(sd(values), 0.01, 0.0003);
  EXPECT_NEAR(covariance(values, 1) / covariance(values, 0), 0.8, 0.015);
  EXPECT_NEAR(covariance(values, 2) / covariance(values, 0), 0.64, 0.02);
  EXPECT_NEAR(covariance(values, 40) / covariance(values, 0), 0.0, 0.05);
}

// The state is common: ratios of ranks and of layers in one sample do not see it.
TEST(SessionNoise, TheMachinesStateIsThatOfAllRanksAndLayers) {
  Scenario scenario = worked_scenario();
  scenario.noise.state = {.sd = 0.05, .autocorrelation = 0.5};
  const Block shard =
      Simulation(scenario, 2, 1, 0).run(worked_operation(), on_all_ranks(Arm::shard), 2);
  for (std::size_t i = 1; i < 8; ++i) {
    EXPECT_DOUBLE_EQ(shard.layer_seconds[i] / shard.layer_seconds[0], 1.0);
    EXPECT_NE(shard.layer_seconds[8 + i], shard.layer_seconds[0]);
  }
}

// Log-normal with median 1 and a CV of 10 %: sigma = sqrt(ln 1.01) = 0.09975.
TEST(SessionNoise, LayersAndRanksAreIndependent) {
  Scenario scenario = worked_scenario();
  scenario.noise.layer_cv = 0.1;
  const Block shard =
      Simulation(scenario, 2, 1, 0).run(worked_operation(), on_all_ranks(Arm::shard), 10'000);
  const Values values = logs(shard.layer_seconds, 1.875e-3);
  EXPECT_NEAR(mean(values), 0.0, 0.002);
  EXPECT_NEAR(sd(values), 0.09975, 0.002);
  Values times = shard.layer_seconds;
  EXPECT_NEAR(sd(times) / mean(times), 0.1, 0.002);
  EXPECT_NEAR(covariance(values, 1) / covariance(values, 0), 0.0, 0.02);  // the other rank
  EXPECT_NEAR(covariance(values, 2) / covariance(values, 0), 0.0, 0.02);  // the next layer
}

// One piece in ten is longer, by at least 100 %; by more than x times that x^-3 of them.
TEST(SessionNoise, TailsArePareto) {
  Scenario scenario = worked_scenario();
  scenario.noise.tail = {.probability = 0.1, .factor = 1, .shape = 3};
  const Block shard =
      Simulation(scenario, 2, 1, 0).run(worked_operation(), on_all_ranks(Arm::shard), 10'000);
  const auto share = [&](double times) {
    return share_above(shard.layer_seconds, times * 1.875e-3);
  };
  EXPECT_NEAR(share(1.0001), 0.1, 0.006);
  EXPECT_NEAR(share(1.9999), 0.1, 0.006);
  EXPECT_NEAR(share(3.0), 0.1 / 8, 0.002);
  EXPECT_NEAR(share(11.0), 0.1 / 1000, 0.0002);
}

// Times grow by 0.1 a second: each sample by exp(0.1 x the time when it began).
TEST(SessionNoise, DriftsWithTheTimeOfTheSession) {
  const Values values = log_samples({.drift_per_s = 0.1}, 100);
  double began = 0.0;
  for (const double value : values) {
    EXPECT_NEAR(value, 0.1 * began, 1e-9);
    began += kFull * std::exp(value);
  }
  EXPECT_GT(values.back(), 0.1);
}

TEST(SessionNoise, SettlesFromTheBeginningOfASession) {
  const Values values = log_samples({.settling = {.size = 0.2, .time_s = 0.05}}, 100);
  EXPECT_NEAR(values[0], 0.2, 1e-12);
  EXPECT_NEAR(values[1], 0.2 * std::exp(-kFull * std::exp(0.2) / 0.05), 1e-12);
  EXPECT_NEAR(values.back(), 0.0, 1e-9);
}

TEST(SessionNoise, RanksStartLateByAnExponential) {
  Scenario scenario = worked_scenario();
  scenario.noise.start_s = 5e-6;
  const Block block =
      Simulation(scenario, 2, 1, 0).run(worked_operation(), on_all_ranks(Arm::collective), 20'000);
  // Whoever is first waits for the other: the difference of two exponentials is one itself.
  Values waits;
  for (std::size_t i = 0; i < block.seconds.size(); i += 2) {
    waits.push_back(std::max(block.seconds[i], block.seconds[i + 1]) - 0.23e-3);
    EXPECT_NEAR(std::min(block.seconds[i], block.seconds[i + 1]), 0.23e-3, 1e-12);
  }
  EXPECT_NEAR(mean(waits), 5e-6, 0.2e-6);
  EXPECT_NEAR(sd(waits), 5e-6, 0.3e-6);
}

// One value a session, from 4000 sessions.
Values over_sessions(const SessionEffects& effects,
                     const std::function<double(Simulation&)>& value) {
  Scenario scenario = worked_scenario();
  scenario.noise.session = effects;
  Values values;
  for (int session = 0; session < 4000; ++session) {
    Simulation simulation(scenario, 2, 5, session);
    values.push_back(value(simulation));
  }
  return values;
}

double log_time(Simulation& simulation, const Step& step, std::size_t rank = 0) {
  return std::log(simulation.run(worked_operation(), step, 1).seconds[rank]);
}

TEST(SessionEffects, OfTheMachineAreInEverything) {
  const Step full = on_rank(Arm::full, 0);
  const Step collective = on_all_ranks(Arm::collective);
  const SessionEffects effects{.machine = 0.02};
  EXPECT_NEAR(sd(over_sessions(effects, [&](Simulation& s) { return log_time(s, full); })), 0.02,
              0.0012);
  EXPECT_NEAR(
      sd(over_sessions(effects,
                       [&](Simulation& s) { return log_time(s, full) - log_time(s, collective); })),
      0.0, 1e-12);
}

// Two kinds of work differ by sqrt(2) times the sd of one; the same work in two arms does not.
TEST(SessionEffects, OfWorkAreTheSameInEveryArm) {
  const SessionEffects effects{.work = 0.02};
  const Step full = on_rank(Arm::full, 0);
  const Step shard = on_all_ranks(Arm::shard);
  EXPECT_NEAR(sd(over_sessions(
                  effects, [&](Simulation& s) { return log_time(s, full) - log_time(s, shard); })),
              0.02 * std::sqrt(2.0), 0.002);
  EXPECT_NEAR(sd(over_sessions(effects,
                               [&](Simulation& s) {
                                 return log_time(s, shard) -
                                        log_time(s, on_rank(Arm::shard_alone, 1));
                               })),
              0.0, 1e-12);
}

TEST(SessionEffects, OfArmsTellTheTwinFromTheUnsplit) {
  const SessionEffects effects{.arm = 0.02};
  EXPECT_NEAR(sd(over_sessions(effects,
                               [&](Simulation& s) {
                                 return log_time(s, on_rank(Arm::unsplit, 0)) -
                                        log_time(s, on_rank(Arm::twin, 0));
                               })),
              0.02 * std::sqrt(2.0), 0.002);
  EXPECT_NEAR(sd(over_sessions(effects,
                               [&](Simulation& s) {
                                 return log_time(s, on_rank(Arm::full, 0)) -
                                        log_time(s, on_rank(Arm::full, 1));
                               })),
              0.0, 1e-12);
}

TEST(SessionEffects, OfRanksTellThemApart) {
  EXPECT_NEAR(sd(over_sessions({.rank = 0.02},
                               [&](Simulation& s) {
                                 return log_time(s, on_rank(Arm::full, 0)) -
                                        log_time(s, on_rank(Arm::full, 1));
                               })),
              0.02 * std::sqrt(2.0), 0.002);
}

Noise everything() {
  return {.session = {.machine = 0.02, .work = 0.02, .arm = 0.02, .rank = 0.02},
          .state = {.sd = 0.02, .autocorrelation = 0.5},
          .tail = {.probability = 0.1},
          .layer_cv = 0.05};
}

TEST(SessionNoise, TheSameSeedAndSessionGiveTheSame) {
  EXPECT_EQ(log_samples(everything(), 50, 3), log_samples(everything(), 50, 3));
  EXPECT_NE(log_samples(everything(), 50, 3), log_samples(everything(), 50, 4));
}

TEST(SessionNoise, IsNoneWhereNoneIsAskedFor) {
  for (const double value : log_samples({}, 10)) EXPECT_NEAR(value, 0.0, 1e-14);
}

}  // namespace
}  // namespace splitbench::simulated

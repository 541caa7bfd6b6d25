// The prediction by resampling, against enumeration and against a direct simulation of the split.
#include "model/prediction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "model/worked_cases.h"
#include "tests/model/noise.h"
#include "tests/model/scenario.h"

namespace splitbench {
namespace {

using Arm = ParameterArm;

Prediction predicted(const ParameterSamples& samples, std::size_t draws = 2000,
                     std::uint64_t seed = 1) {
  return predict(samples, estimate(samples, 0.95), 0.95, draws, seed);
}

TEST(Prediction, CountsTheFixedCostOnce) {
  Scenario scenario{.truth = worked_base_case(), .empty = 2e-6, .empty_all_ranks = 7e-6};
  const Prediction prediction = predicted(parameter_samples(scenario));
  // the worked cases: T2 = 9.22 ms, T1 = 12.8 ms, and the overlap bound 8.3 ms.
  EXPECT_NEAR(prediction.point.value().value, 9.22e-3 + 7e-6, 1e-12);
  EXPECT_NEAR(prediction.from_fit.value().value, 9.22e-3 + 7e-6, 1e-12);
  EXPECT_NEAR(prediction.one_device.value().value, 12.8e-3 + 2e-6, 1e-12);
  EXPECT_NEAR(prediction.speedup.value().value, 12.802 / 9.227, 1e-9);
  EXPECT_NEAR(prediction.overlap_bound.value().value, 8.3e-3 + 7e-6, 1e-12);
}

// Three repeats of everything on 2 layers and 2 ranks: 3 * 3 * 3^2 = 81 equally likely splits.
TEST(Prediction, IsTheMedianOverAllCombinationsOfRepeats) {
  constexpr std::size_t kRanks = 2;
  constexpr std::size_t kLayers = 2;
  constexpr double kEmpty = 0.5;
  using Layers = std::array<double, kLayers * kRanks>;
  constexpr std::array<Layers, 3> kSerial{{{1, 2, 3, 1}, {2, 2, 1, 4}, {5, 1, 2, 2}}};
  constexpr std::array<Layers, 3> kShard{{{9, 7, 8, 8}, {6, 9, 7, 12}, {7, 7, 11, 5}}};
  constexpr std::array<double, 3> kCollective{2, 3.25, 7};

  std::vector<double> outcomes;
  for (const Layers& s : kSerial) {
    for (const Layers& c : kShard) {
      for (double h0 : kCollective) {
        for (double h1 : kCollective) {
          const double first = std::max(s[0] + c[0], s[1] + c[1]) + h0;
          const double second = std::max(s[2] + c[2], s[3] + c[3]) + h1;
          // Each of the two layers' serial part and shard bears e, and so do the two collectives;
          // e is paid once.
          outcomes.push_back(first + second - 6 * kEmpty + kEmpty);
        }
      }
    }
  }
  std::sort(outcomes.begin(), outcomes.end());

  Scenario scenario{.truth = worked_base_case(),
                    .empty = kEmpty,
                    .empty_all_ranks = kEmpty,
                    .sessions = 1,
                    .rounds = 1};
  scenario.truth.collectives = kLayers;
  ParameterSamples samples = parameter_samples(scenario);
  auto& arms = samples.sessions[0].arms;
  const auto layered = [](const std::array<Layers, 3>& repeats) {
    Block block = layered_block(0, kRanks, kLayers, 3, 1.0);
    block.layer_seconds.clear();
    for (const Layers& one : repeats) {
      block.layer_seconds.insert(block.layer_seconds.end(), one.begin(), one.end());
    }
    return block;
  };
  arms[Arm::serial_all_ranks] = {layered(kSerial)};
  arms[Arm::shard] = {layered(kShard)};
  arms[Arm::collective] = {plain_block(0, 0, kRanks, 3, 0.0)};
  arms[Arm::collective][0].seconds = {2, 1, 3, 3.25, 7, 7};  // the longer rank counts

  const double median_of_draws = predicted(samples, 40000).sessions.at(0).point;
  const auto share_up_to = [&outcomes](double value) {
    return static_cast<double>(std::upper_bound(outcomes.begin(), outcomes.end(), value + 1e-9) -
                               outcomes.begin()) /
           static_cast<double>(outcomes.size());
  };
  // The draws' median lies where the enumeration has its middle: standard error 0.25 % in rank.
  EXPECT_GE(share_up_to(median_of_draws), 0.5 - 0.01);
  EXPECT_LE(share_up_to(median_of_draws - 1e-6), 0.5 + 0.01);
}

// Independent layers, normal with coefficient of variation 10 %: the truth is the split simulated
// directly, a million times fewer assumptions. Sums of medians are off, the resampling is not.
TEST(Prediction, IsUnbiasedWhereSumsOfMediansAreNot) {
  constexpr double kSerial = 1.0;
  constexpr double kShard = 3.0;
  constexpr double kCollective = 0.5;
  constexpr double kVariation = 0.1;
  constexpr int kLayers = 4;
  for (const int ranks : {2, 8}) {
    Random random(5);
    const auto noisy = [&random](double seconds) {
      return seconds * (1.0 + kVariation * normal(random));
    };
    std::vector<double> truth(100000);
    for (double& split : truth) {
      split = 0.0;
      for (int layer = 0; layer < kLayers; ++layer) {
        double slowest = 0.0;
        for (int rank = 0; rank < ranks; ++rank) {
          slowest = std::max(slowest, noisy(kSerial) + noisy(kShard));
        }
        split += slowest + noisy(kCollective);
      }
    }

    Scenario scenario{.truth = worked_base_case(), .sessions = 1, .rounds = 1, .repeats = 4000};
    scenario.truth.ranks = ranks;
    ParameterSamples samples = parameter_samples(scenario);
    auto& arms = samples.sessions[0].arms;
    for (double& seconds : arms[Arm::serial_all_ranks][0].layer_seconds) seconds = noisy(kSerial);
    for (double& seconds : arms[Arm::shard][0].layer_seconds) seconds = noisy(kShard);
    auto& collective = arms[Arm::collective][0].seconds;
    for (std::size_t i = 0; i < collective.size(); ++i) {  // one time for all ranks
      const auto count = static_cast<std::size_t>(ranks);
      collective[i] = i % count == 0 ? noisy(kCollective) : collective[i - 1];
    }

    const SessionPrediction session = predicted(samples, 20000).sessions.at(0);
    const double expected = median(truth);
    const double sum_of_medians = session.empty + session.serial + session.serial_extra +
                                  session.shard + session.communication;
    EXPECT_NEAR(session.point / expected, 1.0, 0.002) << ranks << " ranks";
    EXPECT_GT(sum_of_medians / expected, 1.004) << ranks << " ranks";
  }
}

TEST(Prediction, IsTheSameForTheSameSeedWhateverOtherSessionsThereAre) {
  Scenario scenario{.truth = worked_base_case()};
  ParameterSamples samples = parameter_samples(scenario);
  Random random(3);
  for (ParameterSession& session : samples.sessions) {
    for (const Arm arm : {Arm::serial_all_ranks, Arm::shard, Arm::collective}) {
      for (Block& block : session.arms[arm]) {
        for (double& seconds : block.layer_seconds) seconds *= 1.0 + 0.05 * random.uniform();
        for (double& seconds : block.seconds) seconds *= 1.0 + 0.05 * random.uniform();
      }
    }
  }
  const Prediction first = predicted(samples, 500, 9);
  const Prediction again = predicted(samples, 500, 9);
  const Prediction other_seed = predicted(samples, 500, 10);
  samples.sessions.erase(samples.sessions.begin());
  const Prediction fewer = predicted(samples, 500, 9);
  EXPECT_EQ(first.point.value(), again.point.value());
  EXPECT_NE(first.sessions[1].point, other_seed.sessions[1].point);
  EXPECT_EQ(first.sessions[1].point, fewer.sessions[0].point);
}

TEST(Prediction, BudgetSumsToThePrediction) {
  Scenario scenario{.truth = worked_base_case(), .empty = 1e-6, .empty_all_ranks = 3e-6};
  scenario.truth.serial_extra = Seconds(0.05e-3);
  scenario.effect = [](std::string_view work, int session) {
    return 1.0 + 0.03 * std::sin(static_cast<double>(work.size()) + 2.0 * session);
  };
  const Prediction prediction = predicted(parameter_samples(scenario));
  double sum = 0.0;
  for (const Term& term : prediction.budget) sum += term.amount.value().value;
  EXPECT_NEAR(sum / prediction.point.value().value, 1.0, 1e-14);
  EXPECT_EQ(prediction.budget.size(), 6U);
}

TEST(Prediction, FromTheLineIsRefusedOutsideOfItsSizes) {
  ParameterSamples samples = parameter_samples({.truth = worked_base_case()});
  for (ParameterSession& session : samples.sessions) {  // the sizes below V are gone
    session.sweep.erase(session.sweep.begin(), session.sweep.begin() + 3);
  }
  const Prediction prediction = predicted(samples);
  EXPECT_TRUE(prediction.point);
  EXPECT_EQ(prediction.from_fit.reason(),
            "2 MB is outside of the sizes that were measured, 2.378 MB to 4 MB");
}

TEST(Prediction, NamesTheArmsItLacks) {
  ParameterSamples samples = parameter_samples({.truth = worked_base_case()});
  for (ParameterSession& session : samples.sessions) {
    session.arms[Arm::shard].clear();
    session.arms[Arm::collective].clear();
  }
  EXPECT_EQ(predicted(samples).point.reason(), "not measured: shard, collective");
}

}  // namespace
}  // namespace splitbench

#include "tests/conformance/suite.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "results/point_samples.h"
#include "results/record_json.h"

namespace splitbench::conformance {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kRepeats = 3;

// One round of every arm, its one-rank steps on `device`; on rank 0 the round.
Json run_round(Node& node, const RigSpec& spec, const Protocol& protocol, int device) {
  const std::unique_ptr<Rig> rig = node.prepare(spec);
  RoundRecord round;
  for (const Step& step : round_steps(protocol, device)) {
    Block block = rig->run(step, kRepeats);
    if (node.rank() == 0) round.blocks.push_back({step, std::move(block)});
  }
  return node.rank() == 0 ? to_json(round) : Json(nullptr);
}

RoundRecord round_of(const Subject& subject, int device) {
  const RigSpec spec = spec_of(subject);
  const Protocol protocol = small_protocol(subject);
  const auto said =
      on_ranks(subject, [&](Node& node) { return run_round(node, spec, protocol, device); });
  return round_from_json(said.front());
}

const Block& block_of(const RoundRecord& round, Arm arm) {
  const auto found = std::find_if(round.blocks.begin(), round.blocks.end(),
                                  [arm](const StepBlock& one) { return one.step.arm == arm; });
  return found->block;
}

TEST_P(Conformance, SurveyDescribesADeviceForEveryRankAndItsProcesses) {
  const Survey survey = conformance::survey(GetParam(), small_protocol(GetParam()));
  EXPECT_EQ(survey.missing, "");
  EXPECT_EQ(survey.unsupported, "");
  EXPECT_EQ(survey.node.devices.size(), 2U);
  EXPECT_EQ(survey.node.links.size(), 1U);
  EXPECT_EQ(survey.needs.processes, GetParam().one_process ? 1 : 2);
  EXPECT_NE(survey.best_launch, Launch::automatic);
  for (const Device& device : survey.node.devices) EXPECT_GT(device.memory.value(), 0.0);
}

TEST_P(Conformance, SurveySaysWhatOfAProtocolIsNotSupported) {
  Protocol protocol = small_protocol(GetParam());
  protocol.launch = GetParam().impossible;
  EXPECT_NE(conformance::survey(GetParam(), protocol).unsupported, "");
}

TEST_P(Conformance, EveryRankKnowsItsPlaceAndHearsRankZero) {
  const auto said = on_ranks(GetParam(), [](Node& node) {
    const std::string mine = "from rank " + std::to_string(node.rank());
    return Json{{"rank", node.rank()}, {"ranks", node.ranks()}, {"heard", node.broadcast(mine)}};
  });
  ASSERT_EQ(said.size(), GetParam().one_process ? 1U : 2U);
  for (int rank = 0; rank < static_cast<int>(said.size()); ++rank) {
    EXPECT_EQ(said[static_cast<std::size_t>(rank)],
              (Json{{"rank", rank}, {"ranks", 2}, {"heard", "from rank 0"}}));
  }
}

TEST_P(Conformance, WhatIsPreparedIsVerified) {
  const RigSpec spec = spec_of(GetParam());
  const auto said =
      on_ranks(GetParam(), [&](Node& node) { return to_json(node.prepare(spec)->verify()); });
  const Correctness correctness = correctness_from_json(said.front());
  EXPECT_TRUE(correctness.passed()) << correctness.failure;
  EXPECT_EQ(correctness.bound_informative, GetParam().moves_data);
}

// point_samples() and the checks of model/measurements.h are the contract of a block: ranks,
// layers, one time for each, none negative.
TEST_P(Conformance, EveryArmGivesTheSamplesThatAnAnalysisTakes) {
  const RoundRecord round = round_of(GetParam(), 0);
  for (const StepBlock& one : round.blocks) {
    EXPECT_EQ(one.block.repeats(), std::size_t{kRepeats}) << name(one.step.arm);
  }
  const auto samples = point_samples(small_protocol(GetParam()), std::vector{round});
  check(samples[0].parameters);
  check(samples[0].validation);
}

TEST_P(Conformance, OneRankStepsRunOnTheDeviceOfTheRound) {
  for (const int device : {0, 1}) {
    for (const StepBlock& one : round_of(GetParam(), device).blocks) {
      if (!one.step.device) continue;
      EXPECT_EQ(one.block.device, device) << name(one.step.arm);
      EXPECT_EQ(one.block.ranks, 1) << name(one.step.arm);
    }
  }
}

// The layers lie between the stamps of the whole, each rank by itself.
TEST_P(Conformance, LayersOfAnArmAddUpToNoMoreThanTheWhole) {
  const Block block = block_of(round_of(GetParam(), 0), Arm::shard);
  ASSERT_EQ(block.layers, 3);
  for (std::size_t repeat = 0; repeat < block.repeats(); ++repeat) {
    for (std::size_t rank = 0; rank < 2; ++rank) {
      double sum = 0.0;
      for (std::size_t layer = 0; layer < 3; ++layer) {
        sum += block.layer_seconds[(repeat * 3 + layer) * 2 + rank];
      }
      EXPECT_LE(sum, block.seconds[repeat * 2 + rank] * (1.0 + 1e-9));
    }
  }
}

// By the least of each, which a busy machine can only make longer.
TEST_P(Conformance, NothingBetweenTheStampsTakesLessThanTheOperation) {
  const RoundRecord round = round_of(GetParam(), 0);
  const auto least = [&round](Arm arm) {
    const std::vector<double> seconds = block_of(round, arm).seconds;
    return *std::min_element(seconds.begin(), seconds.end());
  };
  EXPECT_LT(least(Arm::empty), least(Arm::unsplit));
}

TEST_P(Conformance, ChoicesThatArePinnedAreMadeAgain) {
  const RigSpec spec = spec_of(GetParam());
  const auto choices = [](const RigSpec& wanted) {
    return [wanted](Node& node) { return node.prepare(wanted)->choices(); };
  };
  RigSpec again = spec;
  again.pinned = on_ranks(GetParam(), choices(spec)).front();
  for (const Json& rank : on_ranks(GetParam(), choices(again))) {
    EXPECT_EQ(rank.value("products", Json()), again.pinned.value("products", Json()));
  }
}

TEST_P(Conformance, MemoryOfEveryRankIsReported) {
  const RigSpec spec = spec_of(GetParam());
  const auto said = on_ranks(GetParam(), [&](Node& node) {
    const std::unique_ptr<Rig> rig = node.prepare(spec);
    SessionRecord record;
    node.report(record);
    return to_json(record);
  });
  const SessionRecord record = session_from_json(said.front());
  ASSERT_EQ(record.memory_peak.size(), 2U);
  for (const Bytes peak : record.memory_peak) EXPECT_GT(peak.value(), 0.0);
}

}  // namespace
}  // namespace splitbench::conformance

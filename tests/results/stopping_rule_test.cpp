// A stored run put to the stopping rule of its protocol.
#include "results/stopping_rule.h"

#include <gtest/gtest.h>

#include "results/forecast_document.h"
#include "results/result_document.h"
#include "tests/results/synthetic_run.h"

namespace splitbench::test {
namespace {

StoredRun stored_run(const SyntheticRun& run) {
  const Records records = make_records(run);
  StoredRun stored;
  stored.run = records.run;
  stored.run.protocol.acceptance.early_stopping = true;
  stored.run.protocol.sampling.sessions = 20;
  stored.sessions = records.sessions;
  stored.rounds = records.rounds;
  return stored;
}

bool decided(const StoredRun& stored) {
  return stopping_rule(stored, forecast_document(stored.run, stored.sessions, stored.rounds))
      .decided();
}

// Without noise the base case holds at once; 7 sessions are no look.
TEST(StoppingRuleOfARun, IsDecidedAtALookWhereTheModelHolds) {
  SyntheticRun run = base_case();
  EXPECT_TRUE(decided(stored_run(run)));
  run.sessions = 7;
  EXPECT_FALSE(decided(stored_run(run)));
  run.sessions = 10;
  EXPECT_TRUE(decided(stored_run(run)));
}

// 10 % between sessions cannot show 3 %.
TEST(StoppingRuleOfARun, GoesOnWhereSessionsDiffer) {
  SyntheticRun run = base_case();
  run.session_noise = 0.10;
  EXPECT_FALSE(decided(stored_run(run)));
}

// One point that is 2 % short of its 3 % would not stop, two must both be decided.
TEST(StoppingRuleOfARun, TakesEveryPoint) {
  SyntheticRun run;
  run.protocol = synthetic_protocol({1, 500});
  run.truths.resize(2);
  StoredRun stored = stored_run(run);
  EXPECT_TRUE(decided(stored));
  for (RoundRecord& round : stored.rounds) {
    for (auto& [step, block] : round.blocks) {
      if (step.point != 0 || step.arm != Arm::split) continue;
      for (double& seconds : block.seconds) seconds *= round.session % 2 == 0 ? 0.9 : 1.1;
    }
  }
  EXPECT_FALSE(decided(stored));
}

// The document judges by the error of the look: 1 - .015 and 1 - 2 x .015 at 6 sessions.
TEST(StoppingRuleOfARun, TheVerdictIsThatOfTheLook) {
  const StoredRun stored = stored_run(base_case());
  const auto point = result_document(stored.run, stored.sessions, stored.rounds,
                                     RunOutcome::complete)["points"][0];
  const auto& comparison = point["comparison"];
  EXPECT_NE(comparison["model_reason"].get<std::string>().find("(97 % interval)"),
            std::string::npos);
  EXPECT_NE(comparison["split_reason"].get<std::string>().find("(98.5 % interval)"),
            std::string::npos);
}

}  // namespace
}  // namespace splitbench::test

// The forecast: made before anything is compared, and from nothing that it is compared with.
#include "results/forecast_document.h"

#include <gtest/gtest.h>

#include "results/result_document.h"
#include "tests/results/synthetic_run.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::ordered_json;

Json forecast(const Records& records) {
  return forecast_document(records.run, records.sessions, records.rounds);
}

SyntheticRun noisy_run() {
  SyntheticRun run = base_case();
  run.session_noise = 0.01;
  run.repeat_noise = 0.02;
  return run;
}

bool is_validation(Arm arm) {
  return arm == Arm::unsplit || arm == Arm::twin || arm == Arm::split ||
         arm == Arm::split_without_collective;
}

TEST(ForecastDocument, IsByteIdenticalWhateverT1AndTnAre) {
  Records records = make_records(noisy_run());
  const std::string before = forecast(records).dump();
  for (RoundRecord& round : records.rounds) {
    for (auto& [step, block] : round.blocks) {
      if (!is_validation(step.arm)) continue;
      for (double& seconds : block.seconds) seconds = 3.0 * seconds + 1.0;
    }
  }
  EXPECT_EQ(forecast(records).dump(), before);
  for (RoundRecord& round : records.rounds) {
    std::erase_if(round.blocks,
                  [](const StepBlock& block) { return is_validation(block.step.arm); });
  }
  EXPECT_EQ(forecast(records).dump(), before);
}

// 9.22 ms by the worked base case, in every one of its 6 sessions.
TEST(ForecastDocument, SaysWhatIsPredictedSessionBySession) {
  const Json point = forecast(make_records(base_case()))["points"][0];
  ASSERT_EQ(point["sessions"].size(), 6U);
  EXPECT_NEAR(point["sessions"][3]["point_s"].get<double>(), 9.22e-3, 1e-12);
  EXPECT_NEAR(point["predicted"]["tn_s"]["value"].get<double>(), 9.22e-3, 1e-12);
}

TEST(ForecastDocument, ReadBackFromItsTextItGivesTheSameResultToTheLastBit) {
  const Records records = make_records(noisy_run());
  const Json read = Json::parse(forecast(records).dump());
  EXPECT_EQ(
      result_document(records.run, records.sessions, records.rounds, RunOutcome::complete, read)
          .dump(),
      result_document(records.run, records.sessions, records.rounds, RunOutcome::complete).dump());
}

// What was stored is what is compared: one that said 10 % less is 1/0.9 - 1 = 11.1 % off.
TEST(ForecastDocument, IsNotComputedAgain) {
  const Records records = make_records(base_case());
  Json stored = forecast(records);
  for (Json& session : stored["points"][0]["sessions"]) session["point_s"] = 0.9 * 9.22e-3;
  const Json point = result_document(records.run, records.sessions, records.rounds,
                                     RunOutcome::complete, stored)["points"][0];
  EXPECT_NEAR(point["comparison"]["relative_error"].get<double>(), 1.0 / 0.9 - 1.0, 1e-9);
}

TEST(ForecastDocument, OfAVoidRunHasNoPoints) {
  Records records = make_records(base_case());
  records.sessions[0].correctness[0].exact_integers_passed = false;
  EXPECT_TRUE(forecast(records)["points"].empty());
  EXPECT_EQ(result_document(records.run, records.sessions, records.rounds, RunOutcome::complete,
                            forecast(records))["outcome"],
            "void");
}

}  // namespace
}  // namespace splitbench::test

// Messages between a session and its supervisor, there and back through their frames' form.
#include "harness/rank/messages.h"

#include <gtest/gtest.h>

namespace splitbench {
namespace {

template <class Message>
nlohmann::json sent(const Message& message) {
  return nlohmann::json::from_cbor(nlohmann::json::to_cbor(encode(message)));
}

TEST(Messages, CostsOfStepsComeBackForStepsOfTheSameKind) {
  const Step full{.point = 1, .arm = Arm::full, .message = {}, .device = 0};
  const Step sum{.point = 0, .arm = Arm::collective, .message = Bytes(512), .device = {}};
  StepCosts costs;
  costs.set(kind_of(full), Seconds(0.125));
  costs.set(kind_of(sum), Seconds(0.5));
  const auto report = decode_report(sent(Report(Calibrated{costs, Seconds(4), Seconds(2.5)})));
  const StepCosts& back = std::get<Calibrated>(report).costs;
  EXPECT_EQ(back.all(), costs.all());
  EXPECT_EQ(std::get<Calibrated>(report).first_verification, Seconds(4));
  EXPECT_EQ(std::get<Calibrated>(report).verification, Seconds(2.5));

  Step elsewhere = full;
  elsewhere.device = 1;  // another device, the same cost
  EXPECT_EQ(back.of(elsewhere), Seconds(0.125));
  Step other_size = sum;
  other_size.message = Bytes(1024);
  EXPECT_EQ(back.of(other_size), Seconds(0));
}

TEST(Messages, EachComesBackAsWhatItWas) {
  SessionRecord session;
  session.session = 3;
  EXPECT_TRUE(std::holds_alternative<Joined>(decode_report(sent(Report(Joined{})))));
  EXPECT_EQ(std::get<Ready>(decode_report(sent(Report(Ready{session})))).session, session);
  EXPECT_EQ(std::get<Done>(decode_report(sent(Report(Done{session})))).session, session);
  EXPECT_EQ(std::get<Failed>(decode_report(sent(Report(Failed{"no"})))).message, "no");
  EXPECT_EQ(std::get<RoundFinished>(
                decode_report(sent(Report(RoundFinished{{.session = 1, .round = 4}}))))
                .round.round,
            4);
  EXPECT_TRUE(std::holds_alternative<Stored>(decode_reply(sent(Reply(Stored{})))));
}

TEST(Messages, WhatIsNoneIsRefused) {
  EXPECT_THROW(decode_report({{"type", "hello"}}), HarnessError);
  EXPECT_THROW(decode_report({{"type", "stored"}}), HarnessError);  // the supervisor's word
  EXPECT_THROW(decode_reply({{"type", "ready"}}), HarnessError);    // a rank's
  EXPECT_THROW(decode_report({{"type", "ready"}}), nlohmann::json::exception);
  EXPECT_THROW(decode_report({{"type", "calibrated"}, {"costs", {{0, "no-arm", 0.0, true, 1.0}}}}),
               std::exception);
}

}  // namespace
}  // namespace splitbench

// Early stopping: hand values of the looks, and the errors of whole runs by simulation.
#include "model/stopping.h"

#include <gtest/gtest.h>

#include <string>

#include "model/invalid_input.h"
#include "model/random.h"
#include "model/verdict.h"
#include "tests/model/noise.h"

namespace splitbench {
namespace {

// The looks and their errors are those of the measurement contract: 6, 10, 15, 20 sessions.
TEST(StoppingRule, JudgesByTheErrorOfItsLook) {
  const std::vector<std::pair<std::size_t, double>> expected{
      {6, 0.015}, {10, 0.018}, {15, 0.020}, {20, 0.020},
      {1, 0.015}, {8, 0.018},  {11, 0.020}, {30, 0.020}};  // between looks: that of the next
  for (const auto& [sessions, alpha] : expected) {
    const AcceptanceCriteria criteria = at_look({}, sessions);
    EXPECT_DOUBLE_EQ(criteria.judging_confidence, 1.0 - alpha) << sessions;
    EXPECT_DOUBLE_EQ(criteria.equivalence_confidence, 1.0 - 2.0 * alpha) << sessions;
    EXPECT_EQ(criteria.confidence, 0.95) << "what is shown stays";
  }
}

void add(StoppingRule& rule, double delta) {
  const std::optional<SessionDelta> session = SessionDelta{.delta = delta, .tn = 10e-3};
  rule.add({&session, 1});
}

TEST(StoppingRule, DecidesAtLooksOnly) {
  StoppingRule rule(1, {});
  for (int session = 1; session <= 22; ++session) {
    add(rule, session % 2 == 0 ? 0.001 : -0.001);
    const bool look = session == 6 || session == 10 || session == 15 || session == 20;
    EXPECT_EQ(rule.decided(), look) << session;
  }
}

// Six sessions at +-d: mean 0, standard deviation d sqrt(6/5). HOLDS takes the interval of
// 1 - 2 x .015: t(.985, 5) = 3.0029 (numerical integration of the density), and a half width 3.0029
// d sqrt(6/5) / sqrt(6) = 1.3429 d below 3 %: d below 2.234 %. A fixed run, t(.95, 5) = 2.0150,
// allows 3.329 %.
TEST(StoppingRule, TakesTheIntervalOfTheFirstLook) {
  const auto decided = [](double d) {
    StoppingRule rule(1, {});
    for (int session = 0; session < 6; ++session) add(rule, session % 2 == 0 ? d : -d);
    return rule.decided();
  };
  EXPECT_TRUE(decided(0.02230));
  EXPECT_FALSE(decided(0.02240));
}

// Likewise around 8 %: FAILS takes 1 - .015, t(.9925, 5) = 3.6338 (likewise), a half width
// of 1.6251 d, and the interval is outside of 3 % while 1.6251 d < 5 %: d below 3.0767 %.
TEST(StoppingRule, FailsByAWiderInterval) {
  const auto decided = [](double d) {
    StoppingRule rule(1, {});
    for (int session = 0; session < 6; ++session) add(rule, 0.08 + (session % 2 == 0 ? d : -d));
    return rule.decided();
  };
  EXPECT_TRUE(decided(0.03072));
  EXPECT_FALSE(decided(0.03082));
}

TEST(StoppingRule, WaitsForEveryPoint) {
  StoppingRule rule(2, {});
  for (int session = 0; session < 6; ++session) {
    const double wide = session % 2 == 0 ? 0.05 : -0.05;
    const std::vector<std::optional<SessionDelta>> points{SessionDelta{.delta = 0.0, .tn = 10e-3},
                                                          SessionDelta{.delta = wide, .tn = 10e-3}};
    rule.add(points);
  }
  EXPECT_FALSE(rule.decided());
}

TEST(StoppingRule, APointWithoutComparisonsIsUndecided) {
  StoppingRule rule(1, {});
  const std::optional<SessionDelta> nothing;
  for (int session = 0; session < 6; ++session) rule.add({&nothing, 1});
  EXPECT_FALSE(rule.decided());
  EXPECT_THROW(rule.add({}), InvalidInput);
}

// How runs of at most 20 sessions end, the true delta and the spread of sessions being known.
struct Ends {
  double holds = 0.0;
  double fails = 0.0;
  double sessions = 0.0;  // on average
};

Ends simulate(double truth, double spread, int runs) {
  Random random(20);
  Ends ends;
  for (int run = 0; run < runs; ++run) {
    StoppingRule rule(1, {});
    Comparison comparison;
    while (comparison.deltas.size() < 20 && !rule.decided()) {
      const double delta = truth + spread * normal(random);
      comparison.deltas.push_back(delta);
      add(rule, delta);
    }
    comparison.delta = mean(comparison.deltas, 0.95, "delta");
    const Answer<Estimate> tn = Estimate{.value = 10e-3};
    const AcceptanceCriteria criteria = at_look({}, comparison.deltas.size());
    const ModelOutcome outcome = judge_model(comparison, tn, criteria).outcome;
    ends.holds += outcome == ModelOutcome::holds ? 1.0 / runs : 0.0;
    ends.fails += outcome == ModelOutcome::fails ? 1.0 / runs : 0.0;
    ends.sessions += static_cast<double>(comparison.deltas.size()) / runs;
  }
  return ends;
}

// At the boundary, a true delta of just the tolerance, either verdict is an error. The contract
// allows 6 % HOLDS and 3.5 % FAILS over a whole run (nominal 5 and 2.5). 20 000 runs: a standard
// error of 0.15 %.
TEST(StoppingRule, ErrsNoMoreOftenThanAFixedRunWouldOverAllItsLooks) {
  for (const double spread : {0.01, 0.03}) {
    const Ends ends = simulate(0.03, spread, 20'000);
    EXPECT_LE(ends.holds, 0.06) << spread;
    EXPECT_LE(ends.fails, 0.035) << spread;
    RecordProperty("holds", std::to_string(ends.holds));
    RecordProperty("fails", std::to_string(ends.fails));
  }
}

TEST(StoppingRule, EndsEarlyWhereTheAnswerIsPlain) {
  const Ends right = simulate(0.0, 0.01, 2'000);
  EXPECT_GT(right.holds, 0.99);
  EXPECT_LT(right.sessions, 7.0);
  const Ends wrong = simulate(0.10, 0.01, 2'000);
  EXPECT_GT(wrong.fails, 0.99);
  EXPECT_LT(wrong.sessions, 7.0);
}

}  // namespace
}  // namespace splitbench

// Whether a result says "not steady", of runs in which nothing changes and of runs in which the
// first rounds take longer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/analysis.h"
#include "model/worked_cases.h"
#include "tests/model/noise.h"
#include "tests/model/scenario.h"

namespace splitbench {
namespace {

// By how much a round of a session takes longer.
using Longer = double (*)(int round);

double never(int) {
  return 1.0;
}
double first_two_rounds(int round) {
  return round < 2 ? 1.12 : 1.0;
}

// Blocks of an arm differ by 3 %, and device 1 is 10 % slower than device 0.
template <class Session>
void disturb(Session& session, const auto& arms, Longer longer, Random& random) {
  for (const auto arm : arms) {
    for (Block& block : session.arms[arm]) {
      if (block.ranks == 1) block.device = block.round % 2;
      const double factor =
          std::exp(0.03 * normal(random)) * (block.device == 1 ? 1.1 : 1.0) * longer(block.round);
      for (double& seconds : block.seconds) seconds *= factor;
      for (double& seconds : block.layer_seconds) seconds *= factor;
    }
  }
}

// An ordinary run, 6 sessions of so many rounds.
bool says_not_steady(int rounds, Longer longer, Random& random) {
  const Scenario scenario{.truth = worked_cases()[0].parameters,
                          .empty = 1e-6,
                          .empty_all_ranks = 1e-6,
                          .rounds = rounds,
                          .repeats = 1};
  ParameterSamples parameters = parameter_samples(scenario);
  ValidationSamples validation = validation_samples(scenario);
  for (auto& session : parameters.sessions) disturb(session, kParameterArms, longer, random);
  for (auto& session : validation.sessions) disturb(session, kValidationArms, longer, random);
  AcceptanceCriteria criteria;
  criteria.draws = criteria.resamples = 1;
  const PointAnalysis analysis = analyse(parameters, validation, criteria, 1);
  const auto unsteady = [&criteria](const ArmSummary& arm) {
    const Answer<bool> steady = is_steady(arm, criteria.least_effect);
    return steady && !*steady;
  };
  const auto& forecast = analysis.forecast.arms;
  return std::any_of(forecast.begin(), forecast.end(), unsteady) ||
         std::any_of(analysis.arms.begin(), analysis.arms.end(), unsteady);
}

int how_often(int runs, int rounds, Longer longer) {
  Random random(static_cast<std::uint64_t>(rounds));
  int said = 0;
  for (int run = 0; run < runs; ++run) said += says_not_steady(rounds, longer, random) ? 1 : 0;
  return said;
}

// One run in 100 is meant: of 1000, 10, and 3 standard deviations more are 19. With an even number
// of rounds device 1 is always the later one of two.
TEST(Steadiness, OfAnOrdinaryRunIsSeldomDenied) {
  EXPECT_LE(how_often(1000, 5, never), 19);
  EXPECT_LE(how_often(1000, 6, never), 19);
}

// Two first rounds that are 4 standard deviations longer, in all arms.
TEST(Steadiness, IsDeniedWhereFirstRoundsTakeLonger) {
  EXPECT_GE(how_often(50, 5, first_two_rounds), 48);
}

}  // namespace
}  // namespace splitbench

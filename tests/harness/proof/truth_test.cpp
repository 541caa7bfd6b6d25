// What the proof takes for true is what the documentation says of the case.
#include "harness/proof/truth.h"

#include <gtest/gtest.h>

#include "harness/proof/family.h"

namespace splitbench::proof {
namespace {

void expect_worked_case(const Truth& truth) {
  EXPECT_NEAR(truth.serial, 0.8e-3, 1e-12);
  EXPECT_NEAR(truth.compute, 12e-3, 1e-12);
  EXPECT_NEAR(truth.efficiency, 0.8, 1e-9);
  EXPECT_EQ(truth.latency, 30e-6);
  EXPECT_EQ(truth.bandwidth, 10e9);
  EXPECT_NEAR(truth.collective, 0.23e-3, 1e-12);
  EXPECT_NEAR(truth.t1, 12.8e-3 + 2e-6, 1e-12);
  EXPECT_NEAR(truth.tn, 9.22e-3 + 3e-6, 1e-12);
  EXPECT_NEAR(truth.break_even, 2.453333333e-3, 1e-12);
  EXPECT_NEAR(truth.min_bandwidth, 1.826484018e9, 10);
  EXPECT_NEAR(truth.min_efficiency, 0.541516245, 1e-9);
}

// docs/formulas.md "Inverse questions", the first row; stamps of 2 and 3 us are in T1 and T_N once.
TEST(Truth, IsTheWorkedCase) {
  expect_worked_case(truth_of(worked_setup()));
}

// What only differs between sessions is no part of it.
TEST(Truth, IsThatOfATypicalSession) {
  for (const Family& family : families()) {
    if (family.name == "normal" || family.name == "lognormal" || family.name == "ar1") {
      expect_worked_case(truth_of(family.setup));
    }
  }
}

// eta 0.55: C_shard 12 / 1.1 ms, and 0.92 / (1 - 1/1.1) = 10.12 ms.
TEST(Truth, NearParityTheBreakEvenIsFar) {
  auto setup = worked_setup();  // Setup is a name of the test class too
  setup.scenario.shard_efficiency = 0.55;
  EXPECT_NEAR(truth_of(setup).break_even, 10.12e-3, 1e-10);
}

// The larger of two normal variables lies 1/sqrt(pi) = 0.5642 standard deviations above their mean:
// with layers that vary by 2 %, a sum of them 1.13 % above.
TEST(Truth, HasTheSlowerRankOfEveryLayer) {
  auto setup = worked_setup();
  setup.scenario.noise.layer_cv = 0.02;
  const Truth truth = truth_of(setup);
  EXPECT_NEAR(truth.shard / 7.5e-3, 1.0113, 0.0005);
  EXPECT_NEAR(truth.compute, 12e-3, 12e-3 * 0.0005);
  EXPECT_NEAR(truth.collective, 0.23e-3, 0.23e-3 * 0.0005);
}

// Ranks that differ by 1 % in each session: a shard waits for the slower, 0.5642 % above, and C is
// of one device, whose logarithms have the mean 0. The standard error of 20 000 sessions is 0.006
// %.
TEST(Truth, OfSessionsWhoseRanksDifferIsTheirGeometricMean) {
  auto setup = worked_setup();
  setup.scenario.noise.session.rank = 0.01;
  const Truth truth = truth_of(setup);
  EXPECT_NEAR(truth.shard / 7.5e-3, 1.00566, 0.0003);
  EXPECT_NEAR(truth.compute / 12e-3, 1.0, 0.0004);
}

}  // namespace
}  // namespace splitbench::proof

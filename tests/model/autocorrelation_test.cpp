// How many independent samples correlated ones are worth.
#include "model/autocorrelation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/model/noise.h"

namespace splitbench {
namespace {

// x_i = phi x_(i-1) + noise: its autocorrelation time is (1 + phi)/(1 - phi) (Sokal 1997).
std::vector<std::vector<double>> sessions_of(double phi, int sessions, int samples) {
  Random random(17);
  std::vector<std::vector<double>> all;
  for (int s = 0; s < sessions; ++s) {
    double x = normal(random) / std::sqrt(1.0 - phi * phi);
    std::vector<double>& one = all.emplace_back();
    for (int i = 0; i < samples; ++i) {
      one.push_back(100.0 * s + x);
      x = phi * x + normal(random);
    }
  }
  return all;
}

TEST(EffectiveSamples, AreThoseOfAnAutoregression) {
  struct Row {
    double phi, time;
  };
  for (const Row& row : {Row{0.0, 1.0}, Row{0.5, 3.0}, Row{0.8, 9.0}, Row{-0.5, 1.0 / 3.0}}) {
    const auto found = effective_samples(sessions_of(row.phi, 10, 2000)).value();
    EXPECT_NEAR(found.autocorrelation_time / row.time, 1.0, 0.15) << row.phi;
    EXPECT_NEAR(found.count * found.autocorrelation_time, 20000, 1e-6);
  }
}

TEST(EffectiveSamples, AreNotKnownOfTooFew) {
  EXPECT_EQ(effective_samples(sessions_of(0.0, 2, 20)).reason(),
            "too few samples to tell how they depend on each other: 40");
  // 200 samples with an autocorrelation time of 19 are some 10 such times.
  EXPECT_FALSE(effective_samples(sessions_of(0.9, 2, 100)));
  // Many sessions of 3 samples: no lag is long enough.
  EXPECT_FALSE(effective_samples(sessions_of(0.0, 100, 3)));
  EXPECT_FALSE(effective_samples({}));
}

TEST(EffectiveSamples, AreNotKnownOfEqualOnes) {
  const std::vector<std::vector<double>> equal(2, std::vector<double>(100, 1.5));
  EXPECT_EQ(effective_samples(equal).reason(), "all samples of a session are equal");
}

}  // namespace
}  // namespace splitbench

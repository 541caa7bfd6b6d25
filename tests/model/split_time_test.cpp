// The worked cases of the model (the documentation's worked cases (docs/formulas.md)), and
// properties that hold for all numbers.
#include "model/split_time.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "model/invalid_input.h"
#include "model/worked_cases.h"

namespace splitbench {
namespace {

// Expected values as printed in the documentation, to the digits printed there.
struct Expected {
  double t1_ms, h_ms, t2_ms, speedup;
  std::optional<double> break_even_ms, min_bandwidth_gb;
  double min_efficiency, overlap_ms;
};
constexpr Expected kExpected[] = {
    {12.8, 0.92, 9.22, 1.388286334, 2.453333333, 1.826484018, 0.541516245, 8.3},
    {1.8, 0.92, 2.345, 0.767590618, 2.453333333, 31.372549020, 6.25, 1.72},
    {12.8, 8.12, 16.42, 0.779537150, 21.653333333, 1.826484018, 1.546391753, 8.92},
    {12.8, 0.28, 8.58, 1.491841492, 0.746666667, 1.826484018, 0.511945392, 8.3},
    {112, 0.92, 108.42, 1.033019738, 2.453333333, 1.826484018, 0.541516245, 107.5},
    {12.8, 0.92, 13.72, 0.932944606, std::nullopt, std::nullopt, 0.541516245, 12.8},
};

// The table prints nine decimals: 1e-9 relative, or half of the last printed digit.
void expect_printed(double actual, double printed) {
  EXPECT_NEAR(actual, printed, std::max(1e-9 * std::abs(printed), 5.001e-10));
}

template <class T>
void expect_printed(const Answer<T>& actual, std::optional<double> printed, double scale) {
  ASSERT_EQ(actual.has_value(), printed.has_value());
  if (printed) {
    expect_printed((*actual).value() * scale, *printed);
  } else {
    EXPECT_FALSE(actual.reason().empty());
  }
}

TEST(WorkedCases, AllSixAsPrinted) {
  const auto cases = worked_cases();
  ASSERT_EQ(cases.size(), std::size(kExpected));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(std::string(cases[i].change));
    const SplitParameters& p = cases[i].parameters;
    const Expected& expected = kExpected[i];
    EXPECT_NO_THROW(check(p));
    expect_printed(one_device_time(p).value() * 1e3, expected.t1_ms);
    expect_printed(communication_time(p).value() * 1e3, expected.h_ms);
    expect_printed(split_time(p).value() * 1e3, expected.t2_ms);
    expect_printed(*speedup(p), expected.speedup);
    expect_printed(*parallel_efficiency(p), expected.speedup / 2);
    expect_printed(break_even_compute(p), expected.break_even_ms, 1e3);
    expect_printed(min_bandwidth(p), expected.min_bandwidth_gb, 1e-9);
    expect_printed(*min_efficiency(p), expected.min_efficiency);
    expect_printed(overlap_bound(p).value() * 1e3, expected.overlap_ms);
  }
}

TEST(WorkedCases, LargestFixedCostByHand) {
  // (12 ms (1 - 1/1.6)) / 4 - 2e6/10e9 s = 1.125 ms - 0.2 ms
  EXPECT_NEAR((*max_latency(worked_base_case())).value(), 0.925e-3, 1e-15);
}

TEST(SplitTime, FourRanksByHand) {
  SplitParameters p = worked_base_case();
  p.ranks = 4;
  // C/(N eta) = 12/3.2 = 3.75 ms; T = 0.8 + 3.75 + 0.92; C* = 0.92/(1 - 1/3.2)
  EXPECT_NEAR(split_time(p).value(), 5.47e-3, 1e-14);
  EXPECT_NEAR(*parallel_efficiency(p), 12.8 / 5.47 / 4, 1e-12);
  EXPECT_NEAR((*break_even_compute(p)).value(), 0.92e-3 * 3.2 / 2.2, 1e-14);
}

TEST(SplitTime, InfiniteBandwidthLeavesTheFixedCosts) {
  SplitParameters p = worked_base_case();
  p.bandwidth = BytesPerSecond(std::numeric_limits<double>::infinity());
  EXPECT_NO_THROW(check(p));
  EXPECT_DOUBLE_EQ(communication_time(p).value(), 4 * 0.03e-3);
}

TEST(SplitTime, ExtraSerialTimeMovesTheBreakEven) {
  SplitParameters p = worked_base_case();
  p.serial_extra = Seconds(0.3e-3);
  // (0.92 + 0.3) / (1 - 1/1.6) ms
  EXPECT_NEAR((*break_even_compute(p)).value(), 1.22e-3 / 0.375, 1e-14);
  EXPECT_NEAR(split_time(p).value(), 9.52e-3, 1e-14);
  EXPECT_NEAR(overlap_bound(p).value(), 8.6e-3, 1e-14);
}

TEST(SplitTime, WithoutCollectivesNothingIsAskedOfTheLink) {
  SplitParameters p = worked_base_case();
  p.collectives = 0;
  p.bandwidth = BytesPerSecond(0);
  EXPECT_NO_THROW(check(p));
  EXPECT_EQ(communication_time(p).value(), 0.0);
  EXPECT_FALSE(min_bandwidth(p));
  EXPECT_FALSE(max_latency(p));
  EXPECT_EQ((*break_even_compute(p)).value(), 0.0);
}

TEST(SplitTime, EachAnswerThatDoesNotExistSaysWhy) {
  SplitParameters idle{.bandwidth = BytesPerSecond(1)};
  EXPECT_EQ(speedup(idle).reason(),
            "the split takes no time: serial, compute and communication are 0");
  EXPECT_FALSE(parallel_efficiency(idle));
  EXPECT_THROW(static_cast<void>(speedup(idle).value()), std::bad_optional_access);

  SplitParameters p = worked_base_case();
  p.compute = Seconds(0.92e-3 * 0.99);
  EXPECT_NE(min_efficiency(p).reason().find("no efficiency is enough"), std::string::npos);
  p.latency = Seconds(1);
  EXPECT_NE(min_bandwidth(p).reason().find("no bandwidth is enough"), std::string::npos);
  p = worked_base_case();
  p.bandwidth = BytesPerSecond(1e6);
  EXPECT_NE(max_latency(p).reason().find("no fixed cost is low enough"), std::string::npos);
  p.efficiency = 0.5;
  EXPECT_NE(break_even_compute(p).reason().find("ranks x efficiency"), std::string::npos);
}

TEST(SplitTime, RefusesNumbersOutsideTheModelByName) {
  const auto field_refused = [](auto change) {
    SplitParameters p = worked_base_case();
    change(p);
    try {
      check(p);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return std::string("nothing");
  };
  const double nan = std::nan("");
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(field_refused([](auto& p) { p.serial = Seconds(-1e-9); }), "serial");
  EXPECT_EQ(field_refused([&](auto& p) { p.serial = Seconds(nan); }), "serial");
  EXPECT_EQ(field_refused([&](auto& p) { p.compute = Seconds(infinite); }), "compute");
  EXPECT_EQ(field_refused([](auto& p) { p.serial_extra = Seconds(-1); }), "serial_extra");
  EXPECT_EQ(field_refused([](auto& p) { p.latency = Seconds(-1); }), "latency");
  EXPECT_EQ(field_refused([](auto& p) { p.bytes = Bytes(-1); }), "bytes");
  EXPECT_EQ(field_refused([](auto& p) { p.efficiency = 0; }), "efficiency");
  EXPECT_EQ(field_refused([&](auto& p) { p.efficiency = infinite; }), "efficiency");
  EXPECT_EQ(field_refused([](auto& p) { p.collectives = -1; }), "collectives");
  EXPECT_EQ(field_refused([](auto& p) { p.ranks = 0; }), "ranks");
  EXPECT_EQ(field_refused([](auto& p) { p.bandwidth = BytesPerSecond(0); }), "bandwidth");
  EXPECT_EQ(field_refused([&](auto& p) { p.bandwidth = BytesPerSecond(nan); }), "bandwidth");
}

// ---- properties ----

// A number spread over decades, from `least` to `most`.
rc::Gen<double> decades(double least, double most) {
  return rc::gen::map(rc::gen::inRange(0, 1 << 20), [=](int step) {
    return least * std::pow(most / least, step / static_cast<double>(1 << 20));
  });
}

SplitParameters any_parameters() {
  return {.serial = Seconds(*decades(1e-7, 1)),
          .compute = Seconds(*decades(1e-7, 1)),
          .efficiency = *decades(0.1, 1.5),
          .collectives = *rc::gen::inRange<std::int64_t>(1, 200),
          .latency = Seconds(*decades(1e-7, 1e-3)),
          .bytes = Bytes(*decades(1, 1e9)),
          .bandwidth = BytesPerSecond(*decades(1e6, 1e12)),
          .ranks = *rc::gen::inRange(2, 64),
          .serial_extra = Seconds(*decades(1e-9, 1e-3))};
}

void property(const char* what, const std::function<void()>& holds) {
  EXPECT_TRUE(rc::check(what, holds));
}

void assert_equal_times(const SplitParameters& p) {
  const double whole = one_device_time(p).value();
  RC_ASSERT(std::abs(split_time(p).value() - whole) <= 1e-9 * (whole + split_time(p).value()));
}

TEST(SplitTimeProperty, FallsInBandwidthAndEfficiency) {
  property("T_N falls in B and eta", [] {
    const SplitParameters p = any_parameters();
    SplitParameters faster_link = p;
    faster_link.bandwidth = p.bandwidth * 2;
    SplitParameters better_shard = p;
    better_shard.efficiency = p.efficiency * 2;
    RC_ASSERT(split_time(faster_link) <= split_time(p));
    RC_ASSERT(split_time(better_shard) < split_time(p));
  });
}

TEST(SplitTimeProperty, RisesInLatencyCollectivesAndBytes) {
  property("T_N rises in l, Q and V", [] {
    const SplitParameters p = any_parameters();
    SplitParameters slower = p;
    slower.latency = p.latency * 2;
    RC_ASSERT(split_time(slower) > split_time(p));
    slower = p;
    slower.collectives += 1;
    RC_ASSERT(split_time(slower) > split_time(p));
    slower = p;
    slower.bytes = p.bytes * 2;
    RC_ASSERT(split_time(slower) >= split_time(p));
  });
}

TEST(SplitTimeProperty, EveryInverseAnswerPutBackGivesEquality) {
  property("C*, B_min, eta_min, l_max put back give T1 = T_N", [] {
    const SplitParameters p = any_parameters();
    if (const auto compute = break_even_compute(p)) {
      SplitParameters at = p;
      at.compute = *compute;
      assert_equal_times(at);
    }
    if (const auto bandwidth = min_bandwidth(p)) {
      SplitParameters at = p;
      at.bandwidth = *bandwidth;
      assert_equal_times(at);
    }
    if (const auto efficiency = min_efficiency(p)) {
      SplitParameters at = p;
      at.efficiency = *efficiency;
      assert_equal_times(at);
    }
    if (const auto latency = max_latency(p)) {
      SplitParameters at = p;
      at.latency = *latency;
      assert_equal_times(at);
    }
  });
}

TEST(SplitTimeProperty, AnAnswerIsMissingOnlyWhereNoValueReachesEquality) {
  property("no answer: even the best value loses", [] {
    const SplitParameters p = any_parameters();
    SplitParameters best = p;
    if (!break_even_compute(p)) {
      best.compute = Seconds(1e9);
      RC_ASSERT(split_time(best) > one_device_time(best));
    }
    best = p;
    if (!min_bandwidth(p)) {
      best.bandwidth = BytesPerSecond(std::numeric_limits<double>::infinity());
      RC_ASSERT(split_time(best).value() >= one_device_time(best).value() * (1 - 1e-12));
    }
    best = p;
    if (!min_efficiency(p)) {
      best.efficiency = 1e12;
      RC_ASSERT(split_time(best).value() >= one_device_time(best).value() * (1 - 1e-9));
    }
    best = p;
    if (!max_latency(p)) {
      best.latency = Seconds(0);
      RC_ASSERT(split_time(best).value() >= one_device_time(best).value() * (1 - 1e-12));
    }
  });
}

TEST(SplitTimeProperty, OneRankWithoutCollectivesIsTheUnsplitOperation) {
  property("N = 1, Q = 0, eta = 1 gives T1", [] {
    SplitParameters p = any_parameters();
    p.ranks = 1;
    p.collectives = 0;
    p.efficiency = 1;
    p.serial_extra = Seconds(0);
    RC_ASSERT(split_time(p) == one_device_time(p));
    RC_ASSERT(compare(one_device_time(p), split_time(p)) == Outcome::tie);
  });
}

TEST(SplitTimeProperty, OverlapIsNeverSlower) {
  property("the overlap bound is at most T_N", [] {
    const SplitParameters p = any_parameters();
    RC_ASSERT(overlap_bound(p) <= split_time(p));
  });
}

TEST(Compare, NamesTheThreeOutcomes) {
  EXPECT_EQ(compare(Seconds(2), Seconds(1)), Outcome::faster);
  EXPECT_EQ(compare(Seconds(1), Seconds(2)), Outcome::slower);
  EXPECT_EQ(compare(Seconds(1), Seconds(1 + 1e-13)), Outcome::tie);
  EXPECT_EQ(name(Outcome::faster), "faster");
  EXPECT_EQ(name(Outcome::slower), "slower");
  EXPECT_EQ(name(Outcome::tie), "tie");
}

}  // namespace
}  // namespace splitbench

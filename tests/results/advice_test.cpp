// Split, replicate or leave alone.
#include "results/advice.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/invalid_input.h"
#include "tests/support/schema.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

Json value(double number) {
  return {{"value", number}, {"interval", {number, number}}};
}

// The worked base case of docs/formulas.md as a result: S 0.8 ms, C 12 ms, eta 0.8, 4 collectives
// of 30 us and 2 MB at 10 GB/s; T1 12.8 ms, T2 9.22 ms, speedup 1.388.
Json worked_result() {
  Json point;
  point["operation"] = {
      {"tokens", 1}, {"d_model", 2}, {"d_ff", 4}, {"layers", 4}, {"dtype", "fp32"}};
  point["ranks"] = 2;
  point["collectives"] = 4;
  point["wire_bytes"] = 2e6;
  point["parameters"] = {{"serial_s", value(0.8e-3)}, {"compute_s", value(12e-3)},
                         {"efficiency", value(0.8)},  {"collective_s", value(0.23e-3)},
                         {"latency_s", value(30e-6)}, {"bandwidth_bytes_per_s", value(1e10)}};
  point["measured"] = {{"speedup", {{"value", 1.388}, {"interval", {1.36, 1.42}}}}};
  point["comparison"] = {{"split_verdict", "faster"}};
  return {{"schema", "splitbench.result/1"}, {"times_are", "measured"}, {"points", {point}}};
}

Json advise_point(const Json& document) {
  return advice_document(document)["points"][0];
}

TEST(Advice, FasterSplitIsForTheShortestAnswerAndReplicasForTheMost) {
  const Json advice = advise_point(worked_result());
  EXPECT_EQ(advice["latency"]["answer"], "split");
  EXPECT_EQ(advice["throughput"]["answer"], "replicate");
  // Parallel efficiency: 1.36/2 and 1.42/2.
  EXPECT_NEAR(advice["throughput"]["replicas_win_above_efficiency"]["high"].get<double>(), 0.71,
              1e-12);
}

// T2 - T1/2 = 9.22 - 6.4 = 2.82 ms: shards 7.5 - 6 = 1.5, bytes 0.8, serial 0.4, fixed 0.12.
TEST(Advice, SaysWhichTermEatsTheGain) {
  const Json lost = advise_point(worked_result())["lost"];
  ASSERT_EQ(lost.size(), 4U);
  EXPECT_EQ(lost[0]["term"], "efficiency");
  EXPECT_NEAR(lost[0]["value_s"].get<double>(), 1.5e-3, 1e-12);
  EXPECT_NEAR(lost[0]["share"].get<double>(), 1.5 / 2.82, 1e-9);
  EXPECT_EQ(lost[1]["term"], "collectives, bytes");
  EXPECT_EQ(lost[2]["term"], "serial");
  EXPECT_EQ(lost[3]["term"], "collectives, fixed");
  EXPECT_NEAR(lost[3]["value_s"].get<double>(), 0.12e-3, 1e-12);
}

// C* 2.4533 ms, eta_min 0.541516, l_max 925 us, B_min 1.826484 GB/s: the worked case.
TEST(Advice, SaysWhatWouldTurnTheAnswer) {
  const Json flips = advise_point(worked_result())["flips"];
  const auto at = [&](const std::string& parameter) {
    for (const Json& flip : flips) {
      if (flip["parameter"] == parameter) return flip["flips_at"].get<double>();
    }
    return std::nan("");
  };
  EXPECT_NEAR(at("compute_s"), 2.453333333e-3, 1e-11);
  EXPECT_NEAR(at("efficiency"), 0.541516245, 1e-9);
  EXPECT_NEAR(at("latency_s"), 925e-6, 1e-12);
  EXPECT_NEAR(at("bandwidth_bytes_per_s"), 1.826484018e9, 1.0);
}

TEST(Advice, SlowerSplitIsLeftAlone) {
  Json result = worked_result();
  result["points"][0]["comparison"]["split_verdict"] = "slower";
  result["points"][0]["measured"]["speedup"] = {{"value", 0.9}, {"interval", {0.88, 0.92}}};
  EXPECT_EQ(advise_point(result)["latency"]["answer"], "leave-alone");
}

TEST(Advice, UndecidedIsNotAnswered) {
  Json result = worked_result();
  result["points"][0]["comparison"]["split_verdict"] = "inconclusive";
  EXPECT_TRUE(advise_point(result)["latency"]["answer"].is_null());
}

// N replicas give no more than N: a split that is 2.1 to 2.3 times as fast over 2 gives more.
TEST(Advice, SplitThatIsMoreThanNTimesAsFastBeatsReplicas) {
  Json result = worked_result();
  result["points"][0]["measured"]["speedup"] = {{"value", 2.2}, {"interval", {2.1, 2.3}}};
  EXPECT_EQ(advise_point(result)["throughput"]["answer"], "split");
}

TEST(Advice, WhereTheSplitMayBeatReplicasThereIsNoAnswer) {
  Json result = worked_result();
  result["points"][0]["measured"]["speedup"] = {{"value", 2.0}, {"interval", {1.9, 2.1}}};
  EXPECT_TRUE(advise_point(result)["throughput"]["answer"].is_null());
}

TEST(Advice, WhatFitsOnlySplitIsSplit) {
  Json result = worked_result();
  result["points"][0]["comparison"]["split_verdict"] = "fits-only-split";
  result["points"][0]["measured"]["speedup"] = nullptr;
  result["points"][0]["parameters"]["compute_s"] = nullptr;  // it was not measured on one device
  result["points"][0]["parameters"]["efficiency"] = nullptr;
  const Json advice = advise_point(result);
  EXPECT_EQ(advice["latency"]["answer"], "split");
  EXPECT_EQ(advice["throughput"]["answer"], "split");
  // There is no T1 that the gain could be eaten of, or that T_N could be equal to.
  EXPECT_TRUE(advice["lost"].empty());
  EXPECT_TRUE(advice["flips"].empty());
}

Json estimate(const Json& compute, const Json& verdict) {
  const Json point = {{"operation", {{"tokens", 1}}},
                      {"ranks", 2},
                      {"collectives", 1},
                      {"parameters",
                       {{"serial_s", {{"low", 0.0}, {"high", 0.0}}},
                        {"compute_s", compute},
                        {"efficiency", {{"low", 0.9}, {"high", 0.9}}},
                        {"collective_s", {{"low", 1e-5}, {"high", 1e-5}}}}},
                      {"speedup", nullptr},
                      {"split_verdict", verdict},
                      {"reasons",
                       {{"t1_s", "weights of 2 TB do not fit into 80 GB"},
                        {"split_verdict", "nor does the share of one of the ranks"}}}};
  return {{"schema", "splitbench.estimate/1"},
          {"times_are", "estimated"},
          {"devices", Json::array()},
          {"points", Json::array({point})}};
}

TEST(Advice, WhatFitsNowhereIsSaidToBeThat) {
  const Json advice = advise_point(estimate({{"low", 1e-3}, {"high", 2e-3}}, nullptr));
  for (const char* use : {"latency", "throughput"}) {
    EXPECT_TRUE(advice[use]["answer"].is_null());
    EXPECT_EQ(advice[use]["why"],
              "weights of 2 TB do not fit into 80 GB, nor does the share of one of the ranks");
  }
  EXPECT_TRUE(advice["flips"].empty());
}

TEST(Advice, RangesThatAreNoneAreRefused) {
  for (const Json& range : {Json{{"low", -1.0}, {"high", -1.0}}, Json{{"low", 2.0}, {"high", 1.0}},
                            Json{{"low", 1.0}, {"high", 1e308}}}) {
    EXPECT_THROW(advice_document(estimate(range, "faster")), InvalidInput) << range.dump();
  }
}

TEST(Advice, PartsThatWereNotMeasuredGiveNoAnswer) {
  Json result = worked_result();
  result["points"][0]["parameters"]["collective_s"] = nullptr;
  EXPECT_TRUE(advise_point(result)["latency"]["answer"].is_null());
  EXPECT_TRUE(advise_point(result)["lost"].empty());
}

TEST(Advice, OtherDocumentsAreRefused) {
  EXPECT_THROW(advice_document({{"schema", "splitbench.fit/1"}}), InvalidInput);
  EXPECT_THROW(advice_document(Json::array()), InvalidInput);
  Json empty = worked_result();
  empty["points"] = Json::array();
  EXPECT_THROW(advice_document(empty), InvalidInput);
}

TEST(Advice, DocumentIsAsItsSchemaSays) {
  SPLITBENCH_NEEDS_SCHEMAS();
  EXPECT_EQ(
      test::schema_errors(advice_document(worked_result()), "results/schema/advice.schema.json"),
      "");
}

}  // namespace
}  // namespace splitbench

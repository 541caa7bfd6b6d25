// Two results beside each other: what is said of numbers that are written down here.
#include "results/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "model/invalid_input.h"
#include "tests/results/written_result.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::ordered_json;

Json compared(const Json& a, const Json& b, const ComparisonOptions& options = {}) {
  return comparison_document(view_of(a), view_of(b), options);
}

Json row(const Json& comparison, const std::string& quantity) {
  for (const Json& row : comparison["points"][0]["rows"]) {
    if (row["quantity"] == quantity) return row;
  }
  return nullptr;
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(Compare, AResultWithItselfIsTheSameEverywhere) {
  const Json result = written_result({.spread = 0.001});
  const Json comparison = compared(result, result);
  EXPECT_EQ(comparison["schema"], "splitbench.comparison/1");
  EXPECT_TRUE(comparison["environment"].empty());
  for (const Json& row : comparison["points"][0]["rows"]) {
    EXPECT_EQ(row["outcome"], "same") << row.dump();
    EXPECT_EQ(row["change"].get<double>(), 0.0) << row.dump();
  }
}

// Standard errors of .2 % on both sides: .2828 % of the difference, 10 degrees of freedom, t
// 2.228139: 3 % +- .63 %.
TEST(Compare, ASlowerSplitIsWorseByItsInterval) {
  const Json comparison =
      compared(written_result({.spread = 0.002}),
               written_result({.id = "later", .tn = 9.22e-3 * std::exp(0.03), .spread = 0.002}));
  const Json tn = row(comparison, "tn_s");
  EXPECT_EQ(tn["outcome"], "worse");
  EXPECT_NEAR(tn["change"].get<double>(), std::expm1(0.03), 1e-9);
  const double reach = 2.228139 * 0.002 * std::sqrt(2.0);
  EXPECT_NEAR(tn["interval"][0].get<double>(), std::expm1(0.03 - reach), 1e-7);
  EXPECT_NEAR(tn["interval"][1].get<double>(), std::expm1(0.03 + reach), 1e-7);
  const Json speedup = row(comparison, "speedup");
  EXPECT_EQ(speedup["outcome"], "worse") << "higher is better";
  EXPECT_NEAR(speedup["change"].get<double>(), std::expm1(-0.03), 1e-9);
  EXPECT_EQ(row(comparison, "t1_s")["outcome"], "same");
}

TEST(Compare, NoiseCannotBeTold) {
  const Json comparison =
      compared(written_result({.spread = 0.02}), written_result({.tn = 9.5e-3, .spread = 0.02}));
  EXPECT_EQ(row(comparison, "tn_s")["outcome"], "cannot-say");
}

// A machine on which equal things differ by 5 % cannot show 3 %.
TEST(Compare, TheLargerAASpreadOfBothSetsTheLeastEffect) {
  const Json a = written_result({.spread = 0.001});
  Json b = written_result({.tn = 9.22e-3 * std::exp(0.03), .spread = 0.001});
  EXPECT_EQ(compared(a, b)["points"][0]["least_effect"], 0.01);
  EXPECT_EQ(row(compared(a, b), "tn_s")["outcome"], "worse");
  b["points"][0]["comparison"]["aa"]["least_effect"] = 0.05;
  EXPECT_EQ(compared(a, b)["points"][0]["least_effect"], 0.05);
  EXPECT_EQ(row(compared(a, b), "tn_s")["outcome"], "same");
}

// l 30 us -> 50 us, 4 collectives: 80 us of the 9.22 ms of A's T_N.
TEST(Compare, ALatencyIsComparedByWhatItMakesOfTN) {
  Json a = written_result({});
  Json b = a;
  const auto set = [](Json& result, double latency) {
    result["points"][0]["parameters"]["latency_s"]["value"] = latency;
    result["points"][0]["parameters"]["latency_s"]["interval"] = {latency - 1e-6, latency + 1e-6};
  };
  set(a, 30e-6);
  set(b, 50e-6);
  Json latency = row(compared(a, b), "latency_s");
  EXPECT_EQ(latency["relative_to"], "tn_s");
  EXPECT_NEAR(latency["change"].get<double>(), 80e-6 / 9.22e-3, 1e-9);
  EXPECT_EQ(latency["outcome"], "same") << "0.87 % +- 0.06 %";
  set(b, -60e-6);
  latency = row(compared(a, b), "latency_s");
  EXPECT_NEAR(latency["change"].get<double>(), -360e-6 / 9.22e-3, 1e-9) << "below 0 too";
  EXPECT_EQ(latency["outcome"], "better");
}

TEST(Compare, WhatOneSideLacksCannotBeSaidAndSaysWhy) {
  Json b = written_result({});
  b["points"][0]["parameters"]["bandwidth_bytes_per_s"] = nullptr;
  b["points"][0]["reasons"]["parameters.bandwidth_bytes_per_s"] = "no sweep";
  const Json bandwidth = row(compared(written_result({}), b), "bandwidth_bytes_per_s");
  EXPECT_EQ(bandwidth["outcome"], "cannot-say");
  EXPECT_EQ(bandwidth["reason"], "of B: no sweep");
  EXPECT_TRUE(bandwidth["change"].is_null());
}

TEST(Compare, WhatChangedAroundThemStandsBeside) {
  const Json comparison =
      compared(written_result({}), written_result({.id = "later", .nccl = "2.28.1"}));
  ASSERT_EQ(comparison["environment"].size(), 1U);
  EXPECT_EQ(comparison["environment"][0],
            (Json{{"what", "software.nccl"}, {"before", "2.27.3"}, {"after", "2.28.1"}}));
}

TEST(Compare, PointsThatOneAloneHasAreListed) {
  Json b = written_result({});
  Json other = b["points"][0];
  other["operation"]["tokens"] = 7;
  b["points"].push_back(other);
  const Json comparison = compared(written_result({}), b);
  EXPECT_EQ(comparison["points"].size(), 1U);
  EXPECT_TRUE(comparison["only_in_a"].empty());
  ASSERT_EQ(comparison["only_in_b"].size(), 1U);
  EXPECT_EQ(comparison["only_in_b"][0].get<std::string>().rfind("7 x 1000 x 4000", 0), 0U);
}

TEST(Compare, RefusesWhatIsUnlike) {
  const Json a = written_result({});
  const auto refused = [&a](const std::function<void(Json&)>& change) {
    Json b = a;
    change(b);
    return refusal([&] { compared(a, b); });
  };
  EXPECT_NE(refused([](Json& b) { b["times_are"] = "virtual"; }).find("are virtual"),
            std::string::npos);
  EXPECT_NE(refused([](Json& b) { b["backend"] = "cuda"; }).find("backend host, run of cuda"),
            std::string::npos);
  EXPECT_NE(refused([](Json& b) { b["node"]["devices"][1]["name"] = "other"; }).find("--across"),
            std::string::npos);
  for (const char* key : {"launch", "cache"}) {
    EXPECT_NE(
        refused([key](Json& b) { b["points"][0][key] = "eager"; }).find("no point is in both"),
        std::string::npos);
  }
  EXPECT_NE(refused([](Json& b) { b["points"][0]["operation"]["tokens"] = 9; }).find("9 x 1000"),
            std::string::npos);
}

TEST(Compare, TwoMachinesOnlyWhereThatIsAsked) {
  const Json a = written_result({});
  Json b = a;
  b["node"]["devices"][1]["name"] = "other";
  const Json comparison = compared(a, b, {.across = true});
  EXPECT_TRUE(comparison["across"].get<bool>());
  EXPECT_EQ(comparison["environment"][0]["what"], "device of rank 1");
}

TEST(Compare, RefusesADocumentThatIsNoneAndSaysWhere) {
  const auto says = [](const std::string& text) {
    return refusal([&] { result_view(text, "x.json"); });
  };
  EXPECT_EQ(says("{").rfind("x.json: at line 1, column 2: not JSON", 0), 0U) << says("{");
  EXPECT_EQ(says("[]"),
            "x.json: at /schema: expected \"splitbench.result/1\", as 'splitbench run' writes it");
  Json result = written_result({});
  result["points"][0]["measured"]["tn_s"] = "fast";
  EXPECT_EQ(says(result.dump()), "x.json: at /points/0/measured/tn_s: expected a number");
  result = written_result({});
  result["points"][0]["measured"]["tn_interval_s"][0] = 1.0;
  EXPECT_EQ(
      says(result.dump()),
      "x.json: at /points/0/measured/tn_interval_s: expected [low, high], the lower end first");
  result = written_result({});
  result["points"] = Json::array();
  EXPECT_EQ(says(result.dump()), "x.json: at /points: expected a list that is not empty")
      << "a gate without a check would pass";
  result = written_result({});
  result.erase("rounds");
  EXPECT_EQ(says(result.dump()), "x.json: at /rounds/sessions: expected a value");
}

// What no measurement can have is not believed, wherever the document came from.
TEST(Compare, RefusesValuesThatAreNone) {
  const auto says = [](const std::function<void(Json&)>& change) {
    Json result = written_result({.spread = 0.01});
    change(result);
    return refusal([&] { result_view(result.dump(), "x.json"); });
  };
  EXPECT_EQ(says([](Json&) {}), "");
  EXPECT_EQ(says([](Json& run) { run["rounds"]["sessions"] = 1000000000000000000; }),
            "x.json: at /rounds/sessions: expected at most 1000");
  EXPECT_EQ(says([](Json& run) { run["rounds"]["sessions"] = -6; }),
            "x.json: at /rounds/sessions: expected a count");
  EXPECT_EQ(says([](Json& run) { run["outcome"] = "good"; }),
            "x.json: at /outcome: expected complete, partial or void");
  EXPECT_EQ(says([](Json& run) { run["times_are"] = "guessed"; }),
            "x.json: at /times_are: expected measured, virtual, tabulated or stand-in");
  EXPECT_EQ(says([](Json& run) {
              run["points"][0]["measured"]["speedup"] = {{"value", 9.0}, {"interval", {1.25, 1.5}}};
            }),
            "x.json: at /points/0/measured/speedup/value: expected a value inside of its interval, "
            "1.25 to 1.5");
  for (const Json& effect : {Json(-0.01), Json(0.0), Json(1e300), Json("much"), Json(true)}) {
    const std::string said =
        says([&](Json& run) { run["points"][0]["comparison"]["aa"]["least_effect"] = effect; });
    EXPECT_EQ(said.rfind("x.json: at /points/0/comparison/aa/least_effect: expected ", 0), 0U)
        << effect << ": " << said;
  }
}

TEST(Compare, KeepsToItsSchema) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const char* schema = "results/schema/comparison.schema.json";
  Json b = written_result({.id = "later", .nccl = "2.28.1"});
  b["points"][0]["parameters"]["bandwidth_bytes_per_s"] = nullptr;
  Json document = compared(written_result({}), b);
  EXPECT_EQ(schema_errors(document, schema), "");
  document["points"][0]["rows"][0]["outcome"] = "good";
  EXPECT_NE(schema_errors(document, schema), "");
}

// Simulated devices are their scenario: what differs in it is the first thing to know.
TEST(Compare, NamesWhatDiffersInTheScenario) {
  Json a = written_result({.id = "a"});
  Json b = written_result({.id = "b"});
  for (Json* run : {&a, &b}) {
    (*run)["points"][0]["choices"] = {{"scenario",
                                       {{"shard_efficiency", 0.8},
                                        {"noise", {{"state", {{"sd", 0.01}}}}},
                                        {"delays", Json::array()}}}};
  }
  EXPECT_TRUE(compared(a, b)["environment"].empty());
  b["points"][0]["choices"]["scenario"]["noise"]["state"]["sd"] = 0.02;
  const Json changed = compared(a, b)["environment"];
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(changed[0]["what"], "scenario/noise/state/sd");
  EXPECT_EQ(changed[0]["before"], "0.01");
  EXPECT_EQ(changed[0]["after"], "0.02");
}

}  // namespace
}  // namespace splitbench::test

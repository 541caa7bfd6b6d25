// Series over time: levels that were written, and what changed around the runs.
#include "results/history.h"

#include <gtest/gtest.h>

#include "tests/results/written_result.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::ordered_json;

// 10 nights, then 10 with T_N 5 % longer; NCCL is another from night `nccl` on.
std::vector<SeriesRun> stepped(int nccl) {
  std::vector<WrittenResult> results;
  for (int night = 0; night < 20; ++night) {
    results.push_back(nightly(night));
    if (night >= 10) results.back().tn *= 1.05;
    if (night >= nccl) results.back().nccl = "2.28.1";
  }
  return series_of(results);
}

Json series(const Json& history, const std::string& quantity) {
  for (const Json& series : history["series"]) {
    if (series["quantity"] == quantity) return series;
  }
  return nullptr;
}

TEST(History, FindsTheStepAndWhatChangedBeside) {
  const Json history = history_document(stepped(10), {});
  EXPECT_EQ(history["runs"], 20);
  const Json tn = series(history, "tn_s");
  ASSERT_EQ(tn["values"].size(), 20U);
  ASSERT_EQ(tn["change_points"].size(), 1U);
  const Json& change = tn["change_points"][0];
  EXPECT_EQ(change["run"], "run-10");
  EXPECT_NEAR(change["before"].get<double>(), 9.22e-3, 1e-12);
  EXPECT_NEAR(change["change"].get<double>(), 0.05, 1e-9);
  EXPECT_EQ(change["direction"], "worse");
  ASSERT_EQ(change["environment"].size(), 1U);
  EXPECT_EQ(change["environment"][0]["run"], "run-10");
  EXPECT_EQ(change["environment"][0]["changes"][0]["what"], "software.nccl");
  EXPECT_EQ(series(history, "speedup")["change_points"][0]["direction"], "worse");
  EXPECT_TRUE(series(history, "t1_s")["change_points"].empty());
}

TEST(History, WhatChangedFarAwayIsNotBeside) {
  const Json history = history_document(stepped(13), {});
  EXPECT_TRUE(series(history, "tn_s")["change_points"][0]["environment"].empty());
  ASSERT_EQ(history["environment"].size(), 1U) << "but it is among what changed";
  EXPECT_EQ(history["environment"][0]["run"], "run-13");
  const Json near = history_document(stepped(12), {});
  EXPECT_EQ(series(near, "tn_s")["change_points"][0]["environment"].size(), 1U);
}

TEST(History, OfOneRunHasItsValuesAlone) {
  const Json history = history_document(series_of({nightly(0)}), {});
  EXPECT_EQ(series(history, "speedup")["values"].size(), 1U);
  EXPECT_TRUE(series(history, "speedup")["change_points"].empty());
}

TEST(History, KeepsMarks) {
  auto runs = stepped(10);
  runs[10].marks.push_back(
      {.marked_utc = "2020-01-12T00:00:00Z", .author = "ann", .reason = "new"});
  const Json history = history_document(runs, {});
  ASSERT_EQ(history["marks"].size(), 1U);
  EXPECT_EQ(history["marks"][0]["run"], "run-10");
}

TEST(History, KeepsToItsSchema) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const char* schema = "results/schema/history.schema.json";
  auto runs = stepped(10);
  runs[10].marks.push_back({.author = "ann", .reason = "new"});
  Json document = history_document(runs, {});
  EXPECT_EQ(schema_errors(document, schema), "");
  document["series"][0]["values"][0]["value"] = -1;
  EXPECT_NE(schema_errors(document, schema), "");
}

}  // namespace
}  // namespace splitbench::test

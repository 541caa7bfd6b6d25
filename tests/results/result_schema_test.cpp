// The published schemas and the documents that are written: they must agree.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/prediction_document.h"
#include "results/result_document.h"
#include "tests/results/synthetic_run.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::json;

std::string result_errors(const Json& document) {
  return schema_errors(document, "results/schema/result.schema.json");
}

std::string prediction_errors(const Json& document) {
  return schema_errors(document, "results/schema/prediction.schema.json");
}

// As a reader gets it: through its text.
Json document(const Records& records, RunOutcome outcome = RunOutcome::complete) {
  return Json::parse(
      result_document(records.run, records.sessions, records.rounds, outcome).dump());
}

TEST(ResultSchema, AcceptsACompleteRun) {
  SPLITBENCH_NEEDS_SCHEMAS();
  SyntheticRun run;
  run.protocol = synthetic_protocol({1, 16, 500});
  run.truths.resize(3);
  run.session_noise = 0.02;
  run.repeat_noise = 0.02;
  EXPECT_EQ(result_errors(document(make_records(run))), "");
}

TEST(ResultSchema, AcceptsPartialAndVoidRunsAndThoseThatFitOnlySplit) {
  SPLITBENCH_NEEDS_SCHEMAS();
  SyntheticRun one_session = base_case();
  one_session.sessions = 1;
  EXPECT_EQ(result_errors(document(make_records(one_session), RunOutcome::partial)), "");

  Records nothing = make_records(base_case());
  nothing.sessions.clear();
  nothing.rounds.clear();
  EXPECT_EQ(result_errors(document(nothing, RunOutcome::partial)), "");

  EXPECT_EQ(result_errors(document(make_records(base_case()), RunOutcome::invalid)), "");

  SyntheticRun too_large = base_case();
  too_large.fits_one_device = false;
  EXPECT_EQ(result_errors(document(make_records(too_large))), "");

  Records other = make_records(base_case());
  other.run.price_per_hour = 2.5;
  other.run.provenance.commit.clear();
  other.run.node.times_are = TimesAre::simulated;
  other.rounds[0].void_reason = "clock throttled";
  EXPECT_EQ(result_errors(document(other)), "");
}

// A split that never pays has a break-even set without an upper end.
TEST(ResultSchema, AcceptsUnboundedBreakEvens) {
  SPLITBENCH_NEEDS_SCHEMAS();
  SyntheticRun run = base_case();
  run.truths[0].efficiency = 0.5;
  run.session_noise = 0.02;
  EXPECT_EQ(result_errors(document(make_records(run))), "");
}

struct Broken {
  const char* what;
  std::function<void(Json&)> breaks;
};

TEST(ResultSchema, RefusesBrokenDocuments) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const std::vector<Broken> list{
      {"another schema", [](Json& d) { d["schema"] = "splitbench.result/2"; }},
      {"no schema", [](Json& d) { d.erase("schema"); }},
      {"a key nobody knows", [](Json& d) { d["verdict"] = "good"; }},
      {"an unknown kind of times", [](Json& d) { d["times_are"] = "real"; }},
      {"an unknown outcome", [](Json& d) { d["outcome"] = "ok"; }},
      {"notes that are one string", [](Json& d) { d["notes"] = "fine"; }},
      {"a path between devices nobody knows",
       [](Json& d) { d["node"]["links"][0]["path"] = "nvlink"; }},
      {"a start without its zone", [](Json& d) { d["provenance"]["started_utc"] = "2026-01-31"; }},
      {"no points", [](Json& d) { d["points"] = Json::array(); }},
      {"a point without a key", [](Json& d) { d["points"][0].erase("comparison"); }},
      {"a point with a key too many", [](Json& d) { d["points"][0]["gflops"] = 1; }},
      {"a time below 0", [](Json& d) { d["points"][0]["arms"]["split"]["median_s"] = -1.0; }},
      {"an arm nobody knows", [](Json& d) { d["points"][0]["arms"]["warmup"] = nullptr; }},
      {"a count that is not whole", [](Json& d) { d["points"][0]["message_bytes"] = 1.5; }},
      {"an interval of one end",
       [](Json& d) { d["points"][0]["measured"]["speedup"]["interval"] = {1.0}; }},
      {"an estimate that is a bare number",
       [](Json& d) { d["points"][0]["measured"]["speedup"] = 1.4; }},
      {"a number as text", [](Json& d) { d["points"][0]["measured"]["tn_s"] = "9.2 ms"; }},
      {"an unknown model verdict",
       [](Json& d) { d["points"][0]["comparison"]["model_verdict"] = "maybe"; }},
      {"an unknown split verdict",
       [](Json& d) { d["points"][0]["comparison"]["split_verdict"] = "FASTER"; }},
      {"a verdict without a reason",
       [](Json& d) { d["points"][0]["comparison"]["fit_reason"] = ""; }},
      {"a latency that says nothing of its range",
       [](Json& d) { d["points"][0]["parameters"]["latency_s"].erase("valid_for_bytes"); }},
      {"a launch mode that was not resolved", [](Json& d) { d["points"][0]["launch"] = "auto"; }},
      {"one rank", [](Json& d) { d["points"][0]["ranks"] = 1; }},
      {"a reason that is empty", [](Json& d) { d["points"][0]["reasons"]["arms.full"] = ""; }},
      {"a null without a reason",
       [](Json& d) { d["points"][0]["reasons"].erase("comparison.model_sessions_needed"); }},
      {"an arm that is null without a reason",
       [](Json& d) { d["points"][0]["arms"]["twin"] = nullptr; }},
      {"a section that is null without a reason",
       [](Json& d) { d["points"][0]["measured"] = nullptr; }},
      {"an attribution without terms' names",
       [](Json& d) { d["points"][0]["attribution"][0].erase("term"); }},
  };
  const Json sound = document(make_records(base_case()));
  ASSERT_EQ(result_errors(sound), "");
  for (const Broken& broken : list) {
    Json changed = sound;
    broken.breaks(changed);
    EXPECT_NE(result_errors(changed), "") << broken.what;
  }
}

// The worked base case of the documentation.
SplitParameters worked_base_case() {
  return {.serial = Seconds(0.8e-3),
          .compute = Seconds(12e-3),
          .efficiency = 0.8,
          .collectives = 4,
          .latency = Seconds(30e-6),
          .bytes = Bytes(2e6),
          .bandwidth = BytesPerSecond(10e9)};
}

TEST(PredictionSchema, AcceptsPredictionsWithAndWithoutAnswers) {
  SPLITBENCH_NEEDS_SCHEMAS();
  SplitParameters p = worked_base_case();
  EXPECT_EQ(prediction_errors(prediction_document(p)), "");
  p.efficiency = 0.5;
  EXPECT_EQ(prediction_errors(prediction_document(p)), "");
  p.bandwidth = BytesPerSecond(std::numeric_limits<double>::infinity());
  EXPECT_EQ(prediction_errors(prediction_document(p)), "");
}

TEST(PredictionSchema, RefusesBrokenDocuments) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const std::vector<Broken> list{
      {"another schema", [](Json& d) { d["schema"] = "splitbench.result/1"; }},
      {"a key nobody knows", [](Json& d) { d["gain"] = 1.4; }},
      {"an input too many", [](Json& d) { d["inputs"]["flops"] = 1e12; }},
      {"a time below 0", [](Json& d) { d["tn_s"] = -1.0; }},
      {"a time that is null", [](Json& d) { d["t1_s"] = nullptr; }},
      {"an unknown verdict", [](Json& d) { d["split_verdict"] = "inconclusive"; }},
      {"no reasons", [](Json& d) { d.erase("reasons"); }},
  };
  const Json sound = prediction_document(worked_base_case());
  for (const Broken& broken : list) {
    Json changed = sound;
    broken.breaks(changed);
    EXPECT_NE(prediction_errors(changed), "") << broken.what;
  }
}

}  // namespace
}  // namespace splitbench::test

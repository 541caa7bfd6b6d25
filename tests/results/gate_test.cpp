// Runs of a series gated: what surrounds the rule of model/gate.h.
#include "results/gate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "results/gate_report.h"
#include "tests/results/written_result.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::ordered_json;

// `count` nights alike, then the given speedups relative to theirs, T1 the same.
std::vector<WrittenResult> nights(int count, const std::vector<double>& more = {}) {
  std::vector<WrittenResult> results;
  for (int night = 0; night < count; ++night) results.push_back(nightly(night));
  for (const double factor : more) {
    results.push_back(nightly(static_cast<int>(results.size())));
    results.back().tn /= factor;
  }
  return results;
}

GateRequest request(const std::vector<WrittenResult>& results) {
  return {.judged = view_of(written_result(results.back())),
          .series = series_of(results),
          .baseline = {},
          .confirmation = {}};
}

Json check(const Json& gate, const std::string& quantity) {
  for (const Json& check : gate["checks"]) {
    if (check["quantity"] == quantity) return check;
  }
  return nullptr;
}

TEST(GateOfResults, LearnsThenPassesThenFindsARegression) {
  EXPECT_EQ(gate_document(request(nights(9)))["outcome"], "learning");
  EXPECT_EQ(gate_document(request(nights(10)))["outcome"], "pass");
  const Json gate = gate_document(request(nights(12, {0.97, 0.97})));
  EXPECT_EQ(gate["outcome"], "regression");
  EXPECT_EQ(check(gate, "speedup")["outcome"], "regression");
  EXPECT_NEAR(check(gate, "speedup")["shortfalls"][2].get<double>(), 0.03, 1e-9);
  EXPECT_EQ(check(gate, "tn_s")["outcome"], "pass") << "3 % are below the 6 % of T_N";
}

// The ratio cannot see it: T1 and T_N both take 10 % longer.
TEST(GateOfResults, BothTimesSlowerIsARegressionOfTNAlone) {
  auto results = nights(14);
  for (std::size_t i = 12; i < 14; ++i) {
    results[i].t1 *= 1.1;
    results[i].tn *= 1.1;
  }
  const Json gate = gate_document(request(results));
  EXPECT_EQ(gate["outcome"], "regression");
  EXPECT_EQ(check(gate, "speedup")["outcome"], "pass");
  EXPECT_EQ(check(gate, "tn_s")["outcome"], "regression");
}

TEST(GateOfResults, ASlowerDayOfTheMachineIsNone) {
  auto results = nights(14);
  for (std::size_t i = 12; i < 14; ++i) {
    results[i].t1 *= 1.04;
    results[i].tn *= 1.04;
  }
  EXPECT_EQ(gate_document(request(results))["outcome"], "pass");
}

TEST(GateOfResults, LaterRunsAreNotLookedAt) {
  GateRequest gate = request(nights(12, {0.97, 0.97}));
  gate.judged = gate.series[11].view;
  EXPECT_EQ(gate_document(gate)["outcome"], "pass");
  EXPECT_EQ(gate_document(gate)["baseline"]["earlier_runs"], 11);
}

TEST(GateOfResults, ABaselineBeginsWithWhatWasAcceptedLast) {
  GateRequest gate = request(nights(12, std::vector<double>(12, 0.97)));
  EXPECT_EQ(gate_document(gate)["outcome"], "regression");
  const Mark mark{.kind = MarkKind::accepted,
                  .marked_utc = "2020-01-14T12:00:00Z",
                  .author = "ann",
                  .reason = "new driver"};
  gate.series[13].marks.push_back(mark);
  const Json document = gate_document(gate);
  EXPECT_EQ(document["outcome"], "pass");
  EXPECT_EQ(document["baseline"]["begins_with"], "run-13");
  EXPECT_EQ(document["baseline"]["earlier_runs"], 10) << "runs 13 to 22";
  EXPECT_EQ(document["baseline"]["accepted"]["author"], "ann");
  EXPECT_EQ(document["baseline"]["accepted"]["reason"], "new driver");
  gate.series[23].marks.push_back(mark);
  EXPECT_EQ(gate_document(gate)["outcome"], "learning") << "with itself accepted it has none";
}

TEST(GateOfResults, ABaselineBeginsWithTheRunThatIsNamed) {
  GateRequest gate = request(nights(12, std::vector<double>(12, 0.97)));
  gate.baseline = NamedBaseline{"run-13", gate.series[13].view};
  EXPECT_EQ(gate_document(gate)["outcome"], "pass");
  EXPECT_EQ(gate_document(gate)["baseline"]["named"], "run-13");
}

std::string cause(const GateRequest& gate) {
  const Json document = gate_document(gate);
  EXPECT_EQ(document["outcome"], "unknown");
  EXPECT_NE(check(document, "speedup")["reason"], "");
  return check(document, "speedup")["cause"].get<std::string>();
}

TEST(GateOfResults, BaselinesThatAreNoneHaveTheirOwnOutcomes) {
  GateRequest gate = request(nights(12));
  gate.baseline = NamedBaseline{"gone", std::nullopt};
  EXPECT_EQ(cause(gate), "baseline-missing");

  Json foreign = written_result(nightly(3));
  foreign["node"]["devices"][0]["name"] = "another core";
  gate.baseline = NamedBaseline{"run-3", view_of(foreign)};
  EXPECT_EQ(cause(gate), "baseline-foreign");
  foreign = written_result(nightly(3));
  foreign["protocol"]["name"] = "another";
  gate.baseline = NamedBaseline{"run-3", view_of(foreign)};
  EXPECT_EQ(cause(gate), "baseline-foreign");
  foreign = written_result(nightly(3));
  foreign["points"][0]["launch"] = "eager";
  gate.baseline = NamedBaseline{"run-3", view_of(foreign)};
  EXPECT_EQ(cause(gate), "baseline-foreign");

  gate.baseline = NamedBaseline{"later", view_of(written_result({.id = "later"}))};
  EXPECT_EQ(cause(gate), "baseline-missing") << "not before this run";

  gate = request(nights(12));
  auto& earlier = gate.series[4].view.points[0].speedup;
  earlier = Estimate{.value = 0.0, .scale = Scale::logarithmic, .sessions = 6};
  EXPECT_EQ(cause(gate), "baseline-zero");
  earlier = Estimate{.value = std::numeric_limits<double>::quiet_NaN(), .sessions = 6};
  EXPECT_EQ(cause(gate), "baseline-not-finite");
}

TEST(GateOfResults, ARunThatCannotBeJudgedIsUnknownWhateverItsNumbers) {
  const auto cause_of = [](const std::function<void(Json&)>& change) {
    GateRequest gate = request(nights(12));
    Json result = written_result(nightly(11));
    change(result);
    gate.judged = view_of(result);
    return cause(gate);
  };
  EXPECT_EQ(cause_of([](Json& run) { run["times_are"] = "stand-in"; }), "not-real");
  EXPECT_EQ(cause_of([](Json& run) { run["times_are"] = "virtual"; }), "not-real");
  EXPECT_EQ(cause_of([](Json& run) { run["times_are"] = "tabulated"; }), "not-real");
  EXPECT_EQ(cause_of([](Json& run) { run["outcome"] = "partial"; }), "not-complete");
  EXPECT_EQ(cause_of([](Json& run) { run["node"]["no_verdict"] = "ranks share a GPU"; }),
            "no-verdict");
  EXPECT_EQ(cause_of([](Json& run) { run["points"][0]["measured"]["speedup"] = nullptr; }),
            "no-value");
}

TEST(GateOfResults, ANoisyRunIsUnknownWithItsSpread) {
  auto results = nights(12);
  results.back().spread = 0.02;
  const Json gate = gate_document(request(results));
  EXPECT_EQ(check(gate, "speedup")["cause"], "noisy-run");
  EXPECT_NEAR(check(gate, "speedup")["spread"].get<double>(), 0.02, 1e-9);
  EXPECT_EQ(check(gate, "tn_s")["outcome"], "pass") << "2 % are below the 3 % of T_N";
}

// ln(1 / 0.97) = 0.0305 in the document is 3 % of a baseline; two runs lie 2.5 % below.
TEST(GateOfResults, TheLeastEffectOfTheRunIsThatOfItsTwin) {
  GateRequest gate = request(nights(12, {0.975, 0.975}));
  EXPECT_EQ(check(gate_document(gate), "speedup")["outcome"], "regression");
  gate.judged.points[0].least_effect = std::log(1.0 / 0.97);
  const Json hidden = check(gate_document(gate), "speedup");
  EXPECT_EQ(hidden["outcome"], "unknown");
  EXPECT_EQ(hidden["cause"], "least-effect");
  EXPECT_NEAR(hidden["threshold"].get<double>(), 0.03, 1e-12);
  EXPECT_EQ(check(gate_document(gate), "tn_s")["outcome"], "pass") << "3 % are below its 6 %";
  gate.judged.points[0].least_effect = 1.224;
  EXPECT_EQ(gate_document(gate)["outcome"], "unknown") << "whatever it saw";
}

TEST(GateOfResults, WhatFitsOnlySplitIsGatedByItsTimeAlone) {
  GateRequest gate = request(nights(12));
  gate.judged.points[0].split_verdict = "fits-only-split";
  for (SeriesRun& run : gate.series) run.view.points[0].split_verdict = "fits-only-split";
  const Json document = gate_document(gate);
  ASSERT_EQ(document["checks"].size(), 1U);
  EXPECT_EQ(document["checks"][0]["quantity"], "tn_s");
}

// 11 earlier runs have a speedup, so that it is gated; one that goes is no pass.
TEST(GateOfResults, ASpeedupThatIsGoneIsUnknown) {
  GateRequest gate = request(nights(12));
  gate.judged.points[0].split_verdict = "fits-only-split";
  gate.judged.points[0].speedup = Answer<Estimate>::none("does not fit on one device");
  const Json document = gate_document(gate);
  EXPECT_EQ(document["outcome"], "unknown");
  EXPECT_EQ(check(document, "speedup")["cause"], "no-value");
  EXPECT_EQ(check(document, "speedup")["reason"], "does not fit on one device");
  EXPECT_EQ(check(document, "tn_s")["outcome"], "pass");
}

TEST(GateOfResults, APointThatIsGoneIsUnknown) {
  GateRequest gate = request(nights(12));
  const auto add_second = [](ResultView& run) {
    run.points.push_back(run.points[0]);
    run.points[1].key["cache"] = "flushed";
    run.points[1].label = "the second";
  };
  for (std::size_t i = 0; i < 6; ++i) add_second(gate.series[i].view);
  EXPECT_EQ(gate_document(gate)["outcome"], "pass") << "6 runs of 7: it was never gated";
  add_second(gate.series[6].view);
  const Json document = gate_document(gate);
  EXPECT_EQ(document["outcome"], "unknown");
  ASSERT_EQ(document["checks"].size(), 4U);
  EXPECT_EQ(document["checks"][2]["point"], "the second");
  EXPECT_EQ(document["checks"][2]["cause"], "no-value");
  EXPECT_EQ(document["checks"][2]["reason"],
            "the run does not have this point, which 7 earlier runs have");
  EXPECT_EQ(document["checks"][0]["outcome"], "pass");
}

TEST(GateOfResults, AConfirmationIsProvisional) {
  GateRequest gate = request(nights(12, {0.97}));
  Json document = gate_document(gate);
  EXPECT_EQ(document["outcome"], "pass");
  EXPECT_TRUE(has_shortfall(document));
  EXPECT_FALSE(document["provisional"].get<bool>());
  WrittenResult again = nightly(12);
  again.id = "again";
  gate.confirmation = view_of(written_result(again));
  EXPECT_EQ(gate_document(gate)["outcome"], "pass") << "1 of 3";
  again.tn /= 0.97;
  gate.confirmation = view_of(written_result(again));
  document = gate_document(gate);
  EXPECT_EQ(document["outcome"], "regression");
  EXPECT_TRUE(document["provisional"].get<bool>());
  EXPECT_EQ(document["confirmation"]["id"], "again");
  EXPECT_FALSE(has_shortfall(gate_document(request(nights(12)))));
}

TEST(GateOfResults, KeepsToItsSchema) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const char* schema = "results/schema/gate.schema.json";
  EXPECT_EQ(schema_errors(gate_document(request(nights(3))), schema), "");
  GateRequest gate = request(nights(12, {0.97, 0.97}));
  gate.confirmation = gate.judged;
  gate.series[2].marks.push_back({.author = "ann", .reason = "x"});
  Json document = gate_document(gate);
  EXPECT_EQ(schema_errors(document, schema), "");
  document["outcome"] = "green";
  EXPECT_NE(schema_errors(document, schema), "");
}

// The elements that a JUnit reader counts, and characters that XML does not hold as they are.
TEST(GateReport, AsJUnit) {
  GateRequest gate = request(nights(12, {0.97, 0.97}));
  gate.judged.protocol = "a<b & \"c\"";
  for (SeriesRun& run : gate.series) run.view.protocol = gate.judged.protocol;
  const std::string text = junit_text(gate_document(gate));
  EXPECT_EQ(text.rfind("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", 0), 0U);
  EXPECT_NE(text.find("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\""), std::string::npos)
      << text;
  EXPECT_NE(text.find("classname=\"a&lt;b &amp; &quot;c&quot;\""), std::string::npos) << text;
  EXPECT_NE(text.find("<failure message=\"2 of the last 3 runs lie"), std::string::npos) << text;
  EXPECT_NE(junit_text(gate_document(request(nights(3)))).find("<skipped message="),
            std::string::npos);
}

// A reader sees how far a check was from failing, and that the answer is not the night's own.
TEST(GateReport, JUnitHasTheFiguresOfWhatPassedAndSaysProvisional) {
  GateRequest gate = request(nights(12, {0.97}));
  std::string text = junit_text(gate_document(gate));
  EXPECT_NE(text.find("<property name=\"run\" value=\"run-12\"/>"), std::string::npos) << text;
  EXPECT_NE(text.find("<property name=\"outcome\" value=\"pass\"/>"), std::string::npos) << text;
  EXPECT_NE(text.find("<property name=\"provisional\" value=\"false\"/>"), std::string::npos);
  EXPECT_NE(text.find("<system-out>value: 1.3"), std::string::npos) << text;
  EXPECT_NE(text.find(" of 10 runs, spread 0.0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nthreshold: 0.0175\nreason: 1 of the last 3 runs lies 1.75 %"),
            std::string::npos)
      << text;
  gate.confirmation = gate.judged;
  gate.confirmation->id = "again";
  text = junit_text(gate_document(gate));
  EXPECT_NE(text.find("<property name=\"provisional\" value=\"true\"/>"), std::string::npos);
  EXPECT_NE(text.find("<property name=\"confirmed by\" value=\"again\"/>"), std::string::npos);
}

// A protocol's or device's name is anybody's text.
TEST(GateReport, NothingInANameIsACommand) {
  GateRequest gate = request(nights(12, {0.97, 0.97}));
  const std::string odd = "a\n::error::b\r\x1b[31m 100 %";
  gate.judged.points[0].label = odd;
  gate.judged.id = odd;
  const std::string github = github_text(gate_document(gate));
  EXPECT_EQ(std::count(github.begin(), github.end(), '\n'), 1) << github;
  EXPECT_EQ(github.find_first_of("\r\x1b"), std::string::npos) << github;
  EXPECT_NE(github.find("a ::error::b  100 %25"), std::string::npos) << github;
  EXPECT_EQ(junit_text(gate_document(gate)).find('\x1b'), std::string::npos);
}

// Workflow commands: a line each, '%' as %25, and ':' of a property as %3A.
TEST(GateReport, AsAnnotationsOfGitHub) {
  const std::string text = github_text(gate_document(request(nights(12, {0.97, 0.97}))));
  EXPECT_EQ(text.rfind("::error title=splitbench gate%3A speedup regression::", 0), 0U) << text;
  EXPECT_NE(text.find("1.75 %25 or more"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), text.size() - 1) << "what passed says nothing";
  EXPECT_EQ(github_text(gate_document(request(nights(12)))).rfind("::notice ", 0), 0U);
  auto noisy = nights(12);
  noisy.back().spread = 0.1;
  EXPECT_EQ(github_text(gate_document(request(noisy))).rfind("::warning ", 0), 0U);
}

}  // namespace
}  // namespace splitbench::test

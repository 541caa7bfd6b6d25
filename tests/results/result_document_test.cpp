// From a run's records to the result document. Runs are synthetic: the right values are those they
// were made from.
#include "results/result_document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "tests/results/synthetic_run.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::ordered_json;

Json document(const Records& records, RunOutcome outcome = RunOutcome::complete) {
  return result_document(records.run, records.sessions, records.rounds, outcome);
}

Json document(const SyntheticRun& run) {
  return document(make_records(run));
}

double number(const Json& json) {
  return json.is_number() ? json.get<double>() : -1.0;
}

void expect_keys(const Json& object, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) EXPECT_TRUE(object.contains(key)) << key;
}

// The keys are those of the published contract of the result document.
TEST(ResultDocument, HasEveryKeyOfTheContract) {
  const Json json = document(base_case());
  EXPECT_EQ(json["schema"], "splitbench.result/1");
  EXPECT_EQ(json["backend"], "host");
  EXPECT_EQ(json["times_are"], "measured");
  EXPECT_EQ(json["outcome"], "complete");
  expect_keys(json, {"notes", "node", "protocol", "provenance", "points", "health"});
  expect_keys(json["node"], {"devices", "links", "software"});
  expect_keys(json["node"]["devices"][0], {"name", "memory_bytes"});
  EXPECT_EQ(json["node"]["links"][0]["path"], "host-memory");
  expect_keys(json["provenance"], {"version", "commit", "started_utc", "seed", "command"});

  const Json& point = json["points"][0];
  expect_keys(point, {"operation", "ranks", "collectives", "message_bytes", "wire_bytes",
                      "correctness", "arms", "parameters", "launch", "cache", "organisation",
                      "memory_peak_bytes", "predicted", "measured", "comparison", "attribution"});
  expect_keys(point["operation"], {"tokens", "d_model", "d_ff", "layers", "dtype", "activation"});
  expect_keys(point["correctness"], {"passed", "exact_example_passed", "exact_integers_passed",
                                     "max_error", "error_bound", "bound_informative", "reference"});
  for (const char* arm : {"empty", "serial", "full", "shard", "collective", "unsplit", "split",
                          "split_without_collective", "twin"}) {
    ASSERT_TRUE(point["arms"].contains(arm)) << arm;
    expect_keys(point["arms"][arm], {"median_s", "mean_s", "interval_s", "p05_s", "p25_s", "p75_s",
                                     "p95_s", "p99_s", "samples", "sessions"});
  }
  for (const char* key :
       {"serial_s", "compute_s", "efficiency", "latency_s", "bandwidth_bytes_per_s"}) {
    expect_keys(point["parameters"][key], {"value", "interval"});
  }
  expect_keys(point["parameters"]["latency_s"], {"valid_for_bytes"});
  expect_keys(point["parameters"]["bandwidth_bytes_per_s"], {"valid_for_bytes"});
  expect_keys(point["predicted"],
              {"tn_s", "tn_from_fit_s", "speedup", "overlap_bound_s", "break_even_compute_s",
               "min_bandwidth_bytes_per_s", "min_efficiency"});
  expect_keys(point["measured"], {"t1_s", "tn_s", "speedup", "parallel_efficiency"});
  expect_keys(
      point["comparison"],
      {"relative_error", "interval", "out_of_session_error", "model_verdict", "model_reason",
       "fit_relative_error", "fit_interval", "fit_verdict", "split_verdict", "split_reason"});
  for (const Json& term : point["attribution"]) expect_keys(term, {"term", "value_s", "interval"});
  EXPECT_EQ(point["launch"], "direct");
  EXPECT_EQ(point["cache"], "hot");
  EXPECT_EQ(point["organisation"], "split");
}

// The worked base case of the documentation: S 0.8 ms, C 12 ms, eta 0.8, Q 4, l 30 us, V 2 MB,
// B 10 GB/s give T1 12.8 ms, T2 9.22 ms, speedup 1.388286334, C* 2.453333333 ms, B_min
// 1.826484018 GB/s, eta_min 0.541516245, overlap bound 8.3 ms.
TEST(ResultDocument, GivesTheWorkedBaseCaseBack) {
  const Json point = document(base_case())["points"][0];
  EXPECT_EQ(point["message_bytes"], 2000000);
  EXPECT_EQ(number(point["wire_bytes"]), 2e6);
  EXPECT_EQ(point["collectives"], 4);

  const Json& parameters = point["parameters"];
  EXPECT_NEAR(number(parameters["serial_s"]["value"]), 0.8e-3, 1e-12);
  EXPECT_NEAR(number(parameters["compute_s"]["value"]), 12e-3, 1e-12);
  EXPECT_NEAR(number(parameters["efficiency"]["value"]), 0.8, 1e-9);
  EXPECT_NEAR(number(parameters["latency_s"]["value"]), 30e-6, 1e-12);
  EXPECT_NEAR(number(parameters["bandwidth_bytes_per_s"]["value"]), 10e9, 1.0);
  EXPECT_NEAR(number(parameters["latency_s"]["valid_for_bytes"][0]), 1e6, 1e-3);
  EXPECT_NEAR(number(parameters["latency_s"]["valid_for_bytes"][1]), 4e6, 1e-3);

  EXPECT_NEAR(number(point["measured"]["t1_s"]), 12.8e-3, 1e-12);
  EXPECT_NEAR(number(point["measured"]["tn_s"]), 9.22e-3, 1e-12);
  EXPECT_NEAR(number(point["measured"]["speedup"]["value"]), 1.388286334, 1e-9);
  EXPECT_NEAR(number(point["measured"]["parallel_efficiency"]), 1.388286334 / 2, 1e-9);

  const Json& predicted = point["predicted"];
  EXPECT_NEAR(number(predicted["tn_s"]["value"]), 9.22e-3, 1e-12);
  EXPECT_NEAR(number(predicted["tn_from_fit_s"]["value"]), 9.22e-3, 1e-12);
  EXPECT_NEAR(number(predicted["t1_s"]["value"]), 12.8e-3, 1e-12);
  EXPECT_NEAR(number(predicted["speedup"]), 1.388286334, 1e-9);
  EXPECT_NEAR(number(predicted["break_even_compute_s"]), 2.453333333e-3, 1e-12);
  EXPECT_NEAR(number(predicted["min_bandwidth_bytes_per_s"]), 1.826484018e9, 1.0);
  EXPECT_NEAR(number(predicted["min_efficiency"]), 0.541516245, 1e-9);
  EXPECT_NEAR(number(predicted["overlap_bound_s"]), 8.3e-3, 1e-12);

  const Json& comparison = point["comparison"];
  EXPECT_EQ(comparison["split_verdict"], "faster");
  EXPECT_EQ(comparison["model_verdict"], "holds");
  EXPECT_EQ(comparison["fit_verdict"], "holds");
  EXPECT_NEAR(number(comparison["out_of_session_error"]), 0.0, 1e-9);
}

// 0.5 ms beyond the model, outside the collectives: T_N is 9.72 ms where 9.22 ms is predicted,
// +5.42 %, and the difference is "composition".
TEST(ResultDocument, AttributesWhatTheModelDoesNotKnow) {
  SyntheticRun run = base_case();
  run.truths[0].split_extra = 0.5e-3;
  const Json point = document(run)["points"][0];
  EXPECT_NEAR(number(point["comparison"]["relative_error"]), 9.72 / 9.22 - 1.0, 1e-9);
  EXPECT_EQ(point["comparison"]["model_verdict"], "fails");
  EXPECT_NEAR(number(point["comparison"]["difference_s"]["value"]), 0.5e-3, 1e-12);
  double sum = 0.0;
  for (const Json& term : point["attribution"]) {
    if (term["term"] == "composition") {
      EXPECT_NEAR(number(term["value_s"]), 0.5e-3, 1e-12);
    }
    if (!term["value_s"].is_null()) sum += term["value_s"].get<double>();
  }
  EXPECT_NEAR(sum, 0.5e-3, 1e-12);
}

// e of one rank 2 us, of all ranks 5 us: they are in the raw times and in T1 and T_N, not in the
// parameters.
TEST(ResultDocument, TakesTheCostOfTheStampsOffTheParametersOnly) {
  SyntheticRun run = base_case();
  run.truths[0].empty = 2e-6;
  run.truths[0].empty_all_ranks = 5e-6;
  const Json point = document(run)["points"][0];
  EXPECT_NEAR(number(point["parameters"]["serial_s"]["value"]), 0.8e-3, 1e-12);
  EXPECT_NEAR(number(point["parameters"]["compute_s"]["value"]), 12e-3, 1e-12);
  EXPECT_NEAR(number(point["parameters"]["latency_s"]["value"]), 30e-6, 1e-12);
  EXPECT_NEAR(number(point["arms"]["full"]["median_s"]), 12.002e-3, 1e-12);
  EXPECT_NEAR(number(point["measured"]["t1_s"]), 12.802e-3, 1e-12);
  EXPECT_NEAR(number(point["measured"]["tn_s"]), 9.225e-3, 1e-12);
  EXPECT_NEAR(number(point["predicted"]["tn_s"]["value"]), 9.225e-3, 1e-12);
}

// C_shard = 12 ms / (2 x 0.8) = 7.5 ms with both ranks at work, 1.25 times what one alone takes.
TEST(ResultDocument, ShowsTheShardAloneBesideTheShardOnAllRanks) {
  const Json point = document(base_case())["points"][0];
  EXPECT_NEAR(number(point["arms"]["shard"]["median_s"]), 7.5e-3, 1e-12);
  EXPECT_NEAR(number(point["arms"]["shard_alone"]["median_s"]), 6e-3, 1e-12);
  EXPECT_NEAR(number(point["parameters"]["shard_slowdown"]["value"]), 1.25, 1e-9);
}

// 6 sessions x 5 rounds x 4 repeats = 120 samples; below 100 there is no p99.
TEST(ResultDocument, CountsSamplesAndGivesNoP99OfFew) {
  const Json many = document(base_case())["points"][0];
  EXPECT_EQ(many["arms"]["split"]["samples"], 120);
  EXPECT_EQ(many["arms"]["split"]["sessions"], 6);
  EXPECT_TRUE(many["arms"]["split"]["p99_s"].is_number());
  SyntheticRun run = base_case();
  run.repeats = 3;
  const Json few = document(run)["points"][0];
  EXPECT_EQ(few["arms"]["split"]["samples"], 90);
  EXPECT_TRUE(few["arms"]["split"]["p99_s"].is_null());
  EXPECT_EQ(few["reasons"]["arms.split.p99_s"], "fewer than 100 samples");
}

// Seeded noise of 0.5 % between sessions and 1 % between repeats: every interval is near the truth,
// within 3 % of it, and has a width.
TEST(ResultDocument, FindsKnownParametersThroughNoise) {
  SyntheticRun run = base_case();
  run.session_noise = 0.005;
  run.repeat_noise = 0.01;
  const Json point = document(run)["points"][0];
  const auto near = [](const Json& estimate, double truth) {
    EXPECT_NEAR(estimate["value"].get<double>() / truth, 1.0, 0.03);
    EXPECT_LT(estimate["interval"][0].get<double>(), estimate["interval"][1].get<double>());
  };
  near(point["parameters"]["serial_s"], 0.8e-3);
  near(point["parameters"]["compute_s"], 12e-3);
  near(point["parameters"]["efficiency"], 0.8);
  near(point["predicted"]["tn_s"], 9.22e-3);
  near(point["measured"]["speedup"], 1.388286334);
  EXPECT_EQ(point["comparison"]["split_verdict"], "faster");
  EXPECT_EQ(point["comparison"]["model_verdict"], "holds");
}

// The coarse grid is measured with the first point only. At 16 tokens V is 64 000 B, and of the
// grid 65 536 B lies around it: the second point's line is made from its own 6 sizes and that one.
TEST(ResultDocument, CoarseGridServesEveryPointOfItsType) {
  SyntheticRun run;
  run.protocol = synthetic_protocol({500, 16});
  run.truths = {Truth{}, Truth{}};
  const Json json = document(run);
  const auto sizes = [&json](int point) {
    std::vector<long long> list;
    for (const Json& size : json["points"][static_cast<std::size_t>(point)]["collective_sweep"]) {
      list.push_back(size["message_bytes"].get<long long>());
    }
    return list;
  };
  EXPECT_EQ(sizes(0).size(), 6 + 3);
  EXPECT_EQ(sizes(1).size(), 6 + 3);
  for (const long long grid : {4096LL, 65536LL, 1048576LL}) {
    const auto second = sizes(1);
    EXPECT_NE(std::find(second.begin(), second.end(), grid), second.end()) << grid;
  }
  EXPECT_NEAR(number(json["points"][1]["parameters"]["latency_s"]["value"]), 30e-6, 1e-11);
}

TEST(ResultDocument, OrderOfRoundsMakesNoDifference) {
  SyntheticRun run = base_case();
  run.repeat_noise = 0.01;
  Records records = make_records(run);
  const std::string in_order = document(records).dump();
  std::reverse(records.rounds.begin(), records.rounds.end());
  // The list of void rounds is empty here, so that nothing shows the order.
  EXPECT_EQ(document(records).dump(), in_order);
}

// What is predicted cannot depend on what it is compared with: other T1 and T_N, the same bytes.
TEST(ResultDocument, PredictionIsByteIdenticalWhateverTheSplitTook) {
  SyntheticRun run = base_case();
  run.repeat_noise = 0.01;
  Records records = make_records(run);
  const Json before = document(records)["points"][0];
  for (RoundRecord& round : records.rounds) {
    for (auto& [step, block] : round.blocks) {
      const bool validation = step.arm == Arm::unsplit || step.arm == Arm::twin ||
                              step.arm == Arm::split || step.arm == Arm::split_without_collective;
      for (double& seconds : block.seconds) seconds *= validation ? 3.0 : 1.0;
    }
  }
  const Json after = document(records)["points"][0];
  EXPECT_EQ(after["predicted"].dump(), before["predicted"].dump());
  EXPECT_EQ(after["parameters"].dump(), before["parameters"].dump());
  EXPECT_NE(after["measured"].dump(), before["measured"].dump());
}

TEST(ResultDocument, VoidRoundsAreCountedAndLeftOut) {
  Records records = make_records(base_case());
  for (StepBlock& step : records.rounds[3].blocks) {
    for (double& seconds : step.block.seconds) seconds *= 10.0;
  }
  records.rounds[3].void_reason = "the machine was paused for 2 s";
  const Json json = document(records);
  EXPECT_EQ(json["rounds"]["counted"], 29);
  EXPECT_EQ(json["rounds"]["void"][0]["session"], 0);
  EXPECT_EQ(json["rounds"]["void"][0]["round"], 3);
  EXPECT_EQ(json["rounds"]["void"][0]["reason"], "the machine was paused for 2 s");
  EXPECT_EQ(json["points"][0]["arms"]["split"]["samples"], 116);
  EXPECT_NEAR(number(json["points"][0]["arms"]["split"]["mean_s"]), 9.22e-3, 1e-12);
  EXPECT_EQ(json["notes"][0], "1 round is void, first because the machine was paused for 2 s");
}

TEST(ResultDocument, RoundsOfASessionWithoutChecksDoNotCount) {
  Records records = make_records(base_case());
  records.sessions.pop_back();
  const Json json = document(records, RunOutcome::partial);
  EXPECT_EQ(json["rounds"]["counted"], 25);
  EXPECT_EQ(json["rounds"]["sessions"], 5);
  EXPECT_EQ(json["rounds"]["void"].size(), 5);
  EXPECT_EQ(json["points"][0]["arms"]["split"]["sessions"], 5);
}

TEST(ResultDocument, AFailedCheckVoidsEveryNumber) {
  Records records = make_records(base_case());
  records.sessions[4].correctness[0].exact_integers_passed = false;
  records.sessions[4].correctness[0].failure = "y[0][3] is 7, expected 8";
  const Json json = document(records);
  EXPECT_EQ(json["outcome"], "void");
  const Json& point = json["points"][0];
  EXPECT_EQ(point["correctness"]["passed"], false);
  EXPECT_EQ(point["correctness"]["failure"], "y[0][3] is 7, expected 8");
  for (const char* section : {"arms", "collective_sweep", "parameters", "predicted", "measured",
                              "comparison", "attribution", "fit_attribution"}) {
    EXPECT_TRUE(point[section].is_null()) << section;
    EXPECT_TRUE(point["reasons"].contains(section)) << section;
  }
}

TEST(ResultDocument, ARunWithoutARoundThatCountsIsVoid) {
  Records records = make_records(base_case());
  for (RoundRecord& round : records.rounds) round.void_reason = "rank 1 was hot";
  const Json json = document(records);
  EXPECT_EQ(json["outcome"], "void");
  EXPECT_EQ(json["rounds"]["counted"], 0);
  EXPECT_TRUE(json["points"][0]["measured"].is_null());
  EXPECT_EQ(json["points"][0]["reasons"]["measured"],
            "no round counts, most often because rank 1 was hot");
}

// Nothing is lost where there was nothing yet.
TEST(ResultDocument, ARunThatEndedBeforeItsFirstRoundStaysPartial) {
  Records records = make_records(base_case());
  records.rounds.clear();
  EXPECT_EQ(document(records, RunOutcome::partial)["outcome"], "partial");
}

TEST(ResultDocument, CorrectnessIsTheWorstOfTheSessions) {
  Records records = make_records(base_case());
  records.sessions[2].correctness[0].max_error = 9e-6;
  records.sessions[2].correctness[0].error_bound = 4e-5;
  records.sessions[5].correctness[0].ranks_agree = false;
  const Json point = document(records)["points"][0];
  EXPECT_EQ(point["correctness"]["passed"], true);
  EXPECT_EQ(number(point["correctness"]["max_error"]), 9e-6);
  EXPECT_EQ(number(point["correctness"]["error_bound"]), 4e-5);
  EXPECT_EQ(point["correctness"]["ranks_agree"], false);
  EXPECT_EQ(point["notes"].back(), "after the collective the ranks' outputs differ in some bits");
}

// Sessions of the synthetic run hold 100 000 000 bytes and their number more.
TEST(ResultDocument, MemoryIsTheMostOfEachRankNeverTheirSum) {
  const Json point = document(base_case())["points"][0];
  EXPECT_EQ(point["memory_peak_bytes"], (std::vector<int>{100000005, 100000005}));
}

TEST(ResultDocument, OneSessionHasValuesButNoIntervals) {
  SyntheticRun run = base_case();
  run.sessions = 1;
  const Json json = document(make_records(run), RunOutcome::partial);
  const Json& point = json["points"][0];
  EXPECT_EQ(json["outcome"], "partial");
  EXPECT_EQ(json["notes"][0], "ended early: 5 rounds of 30 count");
  EXPECT_NEAR(number(point["measured"]["speedup"]["value"]), 1.388286334, 1e-9);
  EXPECT_TRUE(point["measured"]["speedup"]["interval"].is_null());
  EXPECT_FALSE(point["reasons"]["measured.speedup.interval"].get<std::string>().empty());
  EXPECT_EQ(point["comparison"]["split_verdict"], "inconclusive");
  EXPECT_EQ(point["comparison"]["model_verdict"], "inconclusive");
}

TEST(ResultDocument, ARunWithoutRoundsIsADocumentOfReasons) {
  Records records = make_records(base_case());
  records.rounds.clear();
  records.sessions.clear();
  const Json point = document(records, RunOutcome::partial)["points"][0];
  EXPECT_TRUE(point["correctness"].is_null());
  EXPECT_TRUE(point["arms"]["split"].is_null());
  EXPECT_TRUE(point["measured"]["tn_s"].is_null());
  EXPECT_TRUE(point["predicted"]["tn_s"].is_null());
  for (const char* path : {"correctness", "arms.split", "measured.tn_s", "predicted.tn_s"}) {
    EXPECT_TRUE(point["reasons"].contains(path)) << path;
  }
}

TEST(ResultDocument, AnOperationTooLargeForOneDeviceFitsOnlySplit) {
  SyntheticRun run = base_case();
  run.fits_one_device = false;
  const Json point = document(run)["points"][0];
  EXPECT_EQ(point["comparison"]["split_verdict"], "fits-only-split");
  EXPECT_NEAR(number(point["measured"]["tn_s"]), 9.22e-3, 1e-12);
  EXPECT_NEAR(number(point["predicted"]["tn_s"]["value"]), 9.22e-3, 1e-12);
  EXPECT_TRUE(point["arms"]["full"].is_null());
  EXPECT_TRUE(point["arms"]["unsplit"].is_null());
  EXPECT_TRUE(point["measured"]["speedup"].is_null());
  for (const char* path : {"arms.full", "arms.unsplit", "measured.speedup", "measured.t1_s"}) {
    EXPECT_EQ(point["reasons"][path], "the operation does not fit on one device") << path;
  }
}

// Every null of a section has its reason by path.
void expect_reasons(const Json& value, const std::string& path, const Json& reasons) {
  if (value.is_null()) {
    EXPECT_TRUE(reasons.contains(path)) << path;
  } else if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      std::string inner = path;
      inner.append(".").append(key);
      expect_reasons(member, inner, reasons);
    }
  }
}

// The members of a list go by their name: terms, sizes of the sweep.
std::string name_of(const Json& member, std::size_t index) {
  if (member.is_object() && member.contains("term")) return member["term"].get<std::string>();
  if (member.is_object() && member.contains("message_bytes")) return member["message_bytes"].dump();
  return std::to_string(index);
}

void expect_reasons_of_lists(const Json& point) {
  for (const char* section : {"attribution", "fit_attribution", "collective_sweep"}) {
    for (std::size_t i = 0; i < point[section].size(); ++i) {
      const Json& member = point[section][i];
      expect_reasons(member, std::string(section) + "." + name_of(member, i), point["reasons"]);
    }
  }
}

// Around eta = 1/N dividing saves nothing: a shard that takes 4 % more in one session and 4 % less
// in the next leaves every large C possible.
TEST(ResultDocument, AnOpenEndOfASetHasAReason) {
  SyntheticRun run = base_case();
  run.truths[0].efficiency = 0.5;
  Records records = make_records(run);
  for (RoundRecord& round : records.rounds) {
    for (auto& [step, block] : round.blocks) {
      if (step.arm != Arm::shard) continue;
      for (double& seconds : block.layer_seconds) seconds *= round.session % 2 == 0 ? 0.96 : 1.04;
    }
  }
  const Json point = document(records)["points"][0];
  bool open = false;
  for (const char* key :
       {"break_even_compute_set_s", "min_bandwidth_set_bytes_per_s", "min_efficiency_set"}) {
    if (point["predicted"][key].dump().find("null") == std::string::npos) continue;
    open = true;
    EXPECT_TRUE(point["reasons"].contains(std::string("predicted.") + key)) << key;
  }
  EXPECT_TRUE(open);
}

TEST(ResultDocument, ASessionsNeededThatIsNullSaysWhy) {
  const Json point = document(base_case())["points"][0];
  EXPECT_TRUE(point["comparison"]["model_sessions_needed"].is_null());
  EXPECT_EQ(point["reasons"]["comparison.model_sessions_needed"],
            "it is decided: no more sessions are needed");
}

// 2.50 an hour for a device. T1 = 12.8 ms for 500 tokens: 2.5/3600 x 0.0128 / 500 x 10^6
// = 0.0177777... a million tokens; T_N = 9.22 ms on 2 devices: 0.0256111...; ratio 1.440625.
TEST(ResultDocument, SaysWhatAMillionTokensCostOnOneDeviceAndSplit) {
  Records records = make_records(base_case());
  EXPECT_FALSE(document(records)["points"][0].contains("cost"));
  records.run.price_per_hour = 2.5;
  const Json cost = document(records)["points"][0]["cost"];
  EXPECT_EQ(number(cost["price_per_device_hour"]), 2.5);
  EXPECT_NEAR(number(cost["one_device_per_million_tokens"]["value"]), 0.0177777778, 1e-9);
  EXPECT_NEAR(number(cost["split_per_million_tokens"]["value"]), 0.0256111111, 1e-9);
  EXPECT_NEAR(number(cost["ratio"]["value"]), 1.440625, 1e-9);
  EXPECT_NEAR(number(cost["ratio"]["interval"][0]), 1.440625, 1e-9);
}

// The first of 5 rounds takes 10 % longer, the second 5 %, in each of 6 sessions: the later half of
// rounds (the last two) is 1/1.075 of the earlier (the first two), 7 % less.
TEST(ResultDocument, SaysWhichArmsAreNotSteady) {
  SyntheticRun run = base_case();
  run.repeat_noise = 0.001;
  Records records = make_records(run);
  for (RoundRecord& round : records.rounds) {
    const double longer = round.round == 0 ? 1.10 : round.round == 1 ? 1.05 : 1.0;
    for (StepBlock& entry : round.blocks) {
      if (entry.step.arm != Arm::split && entry.step.arm != Arm::collective) continue;
      for (double& seconds : entry.block.seconds) seconds *= longer;
    }
  }
  records.sessions[2].warm_up_rounds = 9;
  records.sessions[2].warmed_up = false;
  const Json json = document(records);
  const Json& point = json["points"][0];
  EXPECT_EQ(point["arms"]["split"]["steady"], false);
  EXPECT_NEAR(number(point["arms"]["split"]["round_change"]), 1 / 1.075 - 1, 0.002);
  EXPECT_LT(number(point["arms"]["split"]["round_change_p"]), 0.001);
  EXPECT_EQ(point["arms"]["unsplit"]["steady"], true);
  const auto has = [](const Json& notes, const std::string& start) {
    return std::any_of(notes.begin(), notes.end(), [&start](const Json& note) {
      return note.get<std::string>().rfind(start, 0) == 0;
    });
  };
  // One note for the parts and what they predict.
  EXPECT_TRUE(has(point["notes"],
                  "not steady: from the first to the last rounds of a session these still change: "
                  "collective, split;"));
  EXPECT_EQ(std::count_if(point["notes"].begin(), point["notes"].end(),
                          [](const Json& note) {
                            return note.get<std::string>().rfind("not steady", 0) == 0;
                          }),
            1);
  EXPECT_TRUE(
      has(json["notes"], "not steady: in session 3 times still changed after 9 rounds of warm-up"));
}

TEST(ResultDocument, EveryNullHasAReason) {
  SyntheticRun one_session = base_case();
  one_session.sessions = 1;
  SyntheticRun too_large = base_case();
  too_large.fits_one_device = false;
  for (const SyntheticRun& run : {base_case(), one_session, too_large}) {
    const Json point = document(run)["points"][0];
    for (const char* section :
         {"correctness", "arms", "parameters", "predicted", "measured", "comparison"}) {
      expect_reasons(point[section], section, point["reasons"]);
    }
    expect_reasons_of_lists(point);
  }
}

TEST(ResultDocument, AnUnknownCommitIsNullWithItsReason) {
  Records records = make_records(base_case());
  records.run.provenance.commit.clear();
  const Json json = document(records);
  EXPECT_TRUE(json["provenance"]["commit"].is_null());
  EXPECT_TRUE(json["reasons"].contains("provenance.commit"));
}

// Prints what it took, for whoever looks: 6 sessions x 5 rounds x 3 points x 21 steps x 256
// repeats, as large as a run gets.
TEST(ResultDocument, IsMadeFromTheLargestRunOfTheDefaultProtocol) {
  SyntheticRun run;
  run.protocol = synthetic_protocol({1, 16, 128});
  run.truths.resize(3);
  run.repeats = 256;
  run.session_noise = 0.01;
  run.repeat_noise = 0.02;
  const Records records = make_records(run);
  const auto start = std::chrono::steady_clock::now();
  const Json json = document(records);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::cout << "analysis of " << records.rounds.size() << " rounds of "
            << records.rounds[0].blocks.size() << " blocks: " << took.count() << " s\n";
  EXPECT_EQ(json["points"].size(), 3);
  EXPECT_EQ(json["points"][2]["arms"]["split"]["samples"], 7680);
}

// T1 = 0.8 + 12 = 12.8 ms and T_N = 9.22 ms by the worked base case. What a launch costs the host
// is in every one of these times, so that no sum of them is a prediction.
TEST(ResultDocument, EagerArmsAreShownAndComparedAndPredictNothing) {
  Records records = make_records(base_case());
  records.run.launch = Launch::eager;
  const Json result = document(records);
  EXPECT_EQ(schema_errors(result, "results/schema/result.schema.json"), "");
  const Json& point = result["points"][0];
  EXPECT_GT(point["arms"]["collective"]["median_s"].get<double>(), 0.0);
  EXPECT_NEAR(point["measured"]["t1_s"].get<double>(), 12.8e-3, 1e-12);
  EXPECT_NEAR(point["measured"]["tn_s"].get<double>(), 9.22e-3, 1e-12);
  EXPECT_NEAR(point["measured"]["speedup"]["value"].get<double>(), 12.8 / 9.22, 1e-9);
  EXPECT_EQ(point["comparison"]["split_verdict"], "faster");

  const std::string reason =
      "eager arms carry launch costs; predictions are made from graph-launched arms";
  for (const auto& [key, value] : point["predicted"].items()) {
    if (key == "budget") continue;
    EXPECT_TRUE(value.is_null()) << key;
    EXPECT_EQ(point["reasons"]["predicted." + key], reason) << key;
  }
  for (const auto& [key, value] : point["parameters"].items()) {
    if (key == "device") continue;
    EXPECT_TRUE(value.is_null()) << key;
    EXPECT_EQ(point["reasons"]["parameters." + key], reason) << key;
  }
  for (const char* model : {"model_", "fit_"}) {
    EXPECT_EQ(point["comparison"][std::string(model) + "verdict"], "inconclusive");
    EXPECT_EQ(point["comparison"][std::string(model) + "reason"], "no prediction: " + reason);
  }
  EXPECT_TRUE(point["comparison"]["relative_error"].is_null());
  EXPECT_TRUE(point["predicted"]["budget"].empty());
  EXPECT_TRUE(point["attribution"].empty());
}

// As where ranks share a GPU: the same records say FASTER and HOLDS without.
TEST(ResultDocument, JudgesNothingWhereTheNodeAllowsNoVerdict) {
  Records records = make_records(base_case());
  records.run.node.no_verdict = "ranks share a device";
  const Json result = document(records);
  EXPECT_EQ(schema_errors(result, "results/schema/result.schema.json"), "");
  EXPECT_EQ(result["notes"][0], "ranks share a device");
  EXPECT_EQ(result["node"]["no_verdict"], "ranks share a device");
  const Json& point = result["points"][0];
  EXPECT_NEAR(point["measured"]["t1_s"].get<double>(), 12.8e-3, 1e-12);
  const Json& comparison = point["comparison"];
  EXPECT_EQ(comparison["split_verdict"], "inconclusive");
  EXPECT_EQ(comparison["split_reason"], "ranks share a device");
  for (const char* model : {"model_", "fit_"}) {
    EXPECT_EQ(comparison[std::string(model) + "verdict"], "inconclusive");
    EXPECT_EQ(comparison[std::string(model) + "reason"], "no prediction: ranks share a device");
  }
  EXPECT_EQ(point["reasons"]["predicted.tn_s"], "ranks share a device");
}

}  // namespace
}  // namespace splitbench::test

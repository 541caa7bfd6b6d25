// The program that users run, on stand-in devices in virtual time: what the scenario put in comes
// out. Every expected value is worked out from the scenario here.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/harness/cuda/standin_run.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::json;

constexpr double kLaunch = 2e-6;
constexpr double kLatency = 10e-6;
constexpr double kBandwidth = 10e9;
constexpr double kFlops = 1e11;
constexpr double kSerial = 5e-6;  // of a layer, its launch included
constexpr int kLayers = 4;

// 16 x 64 times 64 x 256: 2 x 16 x 64 x 256 = 524288 operations, and as many the second time.
const Json kOperation{{"tokens", 16}, {"d_model", 64}, {"d_ff", 256}, {"layers", kLayers}};
constexpr double kProductFlops = 524288;
constexpr double kMessage = 16 * 64 * 4;  // fp32

// The memory is too fast to matter.
Json scenario(int devices) {
  return {{"devices", devices},    {"launch_s", kLaunch},
          {"latency_s", kLatency}, {"bandwidth_bytes_per_s", kBandwidth},
          {"flops", kFlops},       {"memory_bytes_per_s", 1e15},
          {"serial_s", kSerial}};
}

// Two products a layer, each a launch and its operations at the stated rate.
constexpr double kCompute = kLayers * 2 * (kLaunch + kProductFlops / kFlops);
double shard(int ranks, double efficiency = 1.0) {
  return kLayers * 2 * (kLaunch + kProductFlops / ranks / kFlops) / efficiency;
}
double wire(int ranks) {
  return 2.0 * (ranks - 1) / ranks * kMessage;
}
double collectives(int ranks) {
  return kLayers * (kLaunch + kLatency + wire(ranks) / kBandwidth);
}
double whole(int ranks, double shard_seconds) {
  return kLayers * kSerial + shard_seconds + collectives(ranks);
}
// T1 and T_N are shown as measured, the stamps included: where these are kernels, one launch.
double with_stamps(const Json& point, double seconds) {
  return seconds + (point["choices"]["time_source"] == "device-timer" ? kLaunch : 0.0);
}

void expect_within(const Json& value, double truth, double share, const std::string& what) {
  ASSERT_TRUE(value.is_number()) << what << " is " << value;
  EXPECT_NEAR(value.get<double>(), truth, share * truth) << what;
}

double term(const Json& attribution, const std::string& name) {
  for (const Json& entry : attribution) {
    if (entry["term"] == name) return entry["value_s"].get<double>();
  }
  return std::nan("");
}

class OnDevices : public testing::TestWithParam<int> {};

TEST_P(OnDevices, TheTruthIsRecovered) {
  const int ranks = GetParam();
  StandinRun here(scenario(ranks));
  const Json result = here.result(here.protocol({kOperation}, {{"ranks", ranks}}));
  EXPECT_EQ(schema_errors(result, "results/schema/result.schema.json"), "");
  EXPECT_EQ(result["times_are"], "stand-in");
  const Json& point = result["points"][0];
  const Json& p = point["parameters"];
  expect_within(p["latency_s"]["value"], kLaunch + kLatency, 0.001, "l");
  expect_within(p["bandwidth_bytes_per_s"]["value"], kBandwidth, 0.001, "B");
  expect_within(p["serial_s"]["value"], kLayers * kSerial, 0.01, "S");
  expect_within(p["compute_s"]["value"], kCompute, 0.01, "C");
  expect_within(p["efficiency"]["value"], kCompute / (ranks * shard(ranks)), 0.01, "eta");
  expect_within(point["measured"]["t1_s"], with_stamps(point, kLayers * kSerial + kCompute), 0.01,
                "T1");
  const double tn = with_stamps(point, whole(ranks, shard(ranks)));
  expect_within(point["measured"]["tn_s"], tn, 0.01, "T_N");
  expect_within(point["predicted"]["tn_s"]["value"], tn, 0.01, "predicted");
  EXPECT_NEAR(point["comparison"]["relative_error"].get<double>(), 0.0, 0.01);
  EXPECT_EQ(point["comparison"]["model_verdict"], "holds");
  EXPECT_EQ(point["correctness"]["passed"], true);
  // What the stand-ins say of themselves is there beside it.
  expect_within(result["stand_in"]["sessions"][0]["truth"]["latency_s"], kLaunch + kLatency, 1e-12,
                "true l");
}
INSTANTIATE_TEST_SUITE_P(Standin, OnDevices, testing::Values(2, 4, 8));

class AtEfficiency : public testing::TestWithParam<double> {};

TEST_P(AtEfficiency, TheTruthIsRecovered) {
  Json given = scenario(2);
  given["shard_efficiency"] = GetParam();
  StandinRun here(given);
  const Json result = here.result(here.protocol({kOperation}));
  const Json& point = result["points"][0];
  const double shards = shard(2, GetParam());
  expect_within(point["parameters"]["efficiency"]["value"], kCompute / (2 * shards), 0.01, "eta");
  expect_within(point["measured"]["tn_s"], with_stamps(point, whole(2, shards)), 0.01, "T_N");
  EXPECT_NEAR(point["comparison"]["relative_error"].get<double>(), 0.0, 0.01);
}
INSTANTIATE_TEST_SUITE_P(Standin, AtEfficiency, testing::Values(0.6, 1.1));

// A tenth more, and only where shares follow serial parts: no arm that a prediction is made from
// has seen it.
TEST(Standin, WhatPutTogetherTakesLongerFailsTheModelAndIsAttributed) {
  const double injected = 0.1 * whole(2, shard(2));
  Json given = scenario(2);
  given["composition_s"] = injected;
  StandinRun here(given);
  const Json result = here.result(here.protocol({kOperation}));
  const Json& point = result["points"][0];
  EXPECT_EQ(point["comparison"]["model_verdict"], "fails");
  expect_within(point["comparison"]["relative_error"],
                injected / with_stamps(point, whole(2, shard(2))), 0.01, "error");
  EXPECT_NEAR(term(point["attribution"], "composition"), injected, 0.01 * injected);
  EXPECT_NEAR(term(point["attribution"], "collective_in_place"), 0.0, 0.01 * injected);
  EXPECT_NEAR(term(point["attribution"], "rest"), 0.0, 0.01 * injected);
}

// Every layer waits for another rank: 4 layers x 2 products x the delay, on the slowest rank of
// each.
TEST(Standin, SkewByLayerDoesNotBiasThePrediction) {
  constexpr double kSkew = 2e-6;
  Json given = scenario(2);
  given["skew_s"] = kSkew;
  StandinRun here(given);
  const Json result = here.result(here.protocol({kOperation}));
  const Json& point = result["points"][0];
  EXPECT_NEAR(point["comparison"]["relative_error"].get<double>(), 0.0, 0.01);
  EXPECT_EQ(point["comparison"]["model_verdict"], "holds");
  EXPECT_GT(point["measured"]["tn_s"].get<double>(), whole(2, shard(2)) + 0.99 * kLayers * kSkew);
}

// Starting takes time of the clock on the wall. Energy is counted from the devices' start on, and
// the checks before a run work side by side.
void erase_what_no_seed_decides(Json& run) {
  for (Json& session : run["health"]["sessions"]) {
    session.erase("start_up_s");
    for (Json& device : session["devices"]) device["readings"].erase("energy_joules");
  }
}

TEST(Standin, TheSameSeedGivesTheSameDocumentButForDates) {
  StandinRun here(scenario(2));
  const std::string protocol = here.protocol({kOperation});
  Json runs[] = {here.result(protocol), here.result(protocol)};
  for (Json& run : runs) {
    run.erase("id");
    run["provenance"].erase("started_utc");
    erase_what_no_seed_decides(run);
  }
  EXPECT_EQ(runs[0].dump(1), runs[1].dump(1));
}

TEST(Standin, EveryTypeIsVerifiedWithinABoundThatSaysSomething) {
  StandinRun here(scenario(2));
  std::vector<Json> operations;
  for (const char* dtype : {"fp32", "tf32", "fp16", "bf16"}) {
    operations.push_back(kOperation);
    operations.back()["dtype"] = dtype;
  }
  const Json result = here.result(here.protocol(operations), {"--sessions", "1", "--rounds", "1"});
  ASSERT_EQ(result["points"].size(), 4U);
  for (const Json& point : result["points"]) {
    EXPECT_EQ(point["correctness"]["exact_integers_passed"], true) << point["operation"];
    EXPECT_EQ(point["correctness"]["passed"], true) << point["operation"];
    EXPECT_EQ(point["correctness"]["bound_informative"], true) << point["operation"];
  }
}

}  // namespace
}  // namespace splitbench::test

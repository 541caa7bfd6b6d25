// Scenarios are read strictly: what is not understood is refused where it stands.
#include "harness/backends/simulated/scenario.h"

#include <gtest/gtest.h>

#include "protocols/document.h"

namespace splitbench::simulated {
namespace {

Scenario load(const std::string& text, int ranks = 2, std::optional<std::int64_t> layers = {}) {
  return load_scenario(text, "s.json", {.ranks = ranks, .layers = layers});
}

std::string refusal(const std::string& text, int ranks = 2,
                    std::optional<std::int64_t> layers = {}) {
  try {
    load(text, ranks, layers);
    return "accepted";
  } catch (const BadDocument& error) {
    return error.what();
  }
}

TEST(Scenario, EveryKeyMayBeLeftOut) {
  EXPECT_EQ(to_json(load("{}")), to_json(Scenario{}));
}

constexpr const char* kWhole = R"({
  "serial_s": 0.0002, "serial_extra_s": 0.00001, "product_s": 0.003, "flops_per_s": 2e12,
  "shard_efficiency": 0.8, "shared_factor": 1.25,
  "collective": [
    {"to_bytes": 1000000, "latency_s": 0.00001, "bandwidth_bytes_per_s": 2e10},
    {"latency_s": 0.00004}
  ],
  "contention": 1.1, "stamp_s": 1e-6, "stamp_all_ranks_s": 2e-6, "memory_bytes": 8e9,
  "noise": {
    "session": {"distribution": "t3", "machine": 0.01, "work": 0.02, "arm": 0.03, "rank": 0.04},
    "state": {"sd": 0.01, "autocorrelation": 0.8},
    "tail": {"probability": 0.01, "factor": 2, "shape": 1.5},
    "settling": {"size": 0.1, "time_s": 0.5},
    "layer_cv": 0.05, "drift_per_s": -0.01, "start_s": 2e-6
  },
  "slowdowns": [{"factor": 2, "work": ["collective"], "rank": 1, "from_s": 1, "to_s": 9,
                 "period_s": 0.1, "busy_s": 0.01}],
  "delays": [{"seconds": 5e-6, "at": "start", "rank": 0, "layer": 3, "arms": ["split", "shard"]}],
  "faults": [{"fault": "wrong-data", "rank": 1, "after_s": 0.5, "session": 2}, {"fault": "hang"}]
})";

TEST(Scenario, IsReadAsItIsWritten) {
  const Scenario scenario = load(kWhole);
  EXPECT_EQ(scenario.product_s, 0.003);
  EXPECT_EQ(scenario.collective.at(0).to_bytes, 1e6);
  EXPECT_EQ(scenario.collective.at(1).latency_s, 0.00004);
  EXPECT_EQ(scenario.collective.at(1).bandwidth_bytes_per_s, 10e9);  // the default
  EXPECT_EQ(scenario.noise.session.distribution, Distribution::t3);
  EXPECT_EQ(scenario.noise.session.rank, 0.04);
  EXPECT_EQ(scenario.noise.drift_per_s, -0.01);
  EXPECT_EQ(scenario.slowdowns.at(0).work, std::vector{Work::collective});
  EXPECT_EQ(scenario.slowdowns.at(0).busy_s, 0.01);
  EXPECT_EQ(scenario.delays.at(0).at, Work::start);
  EXPECT_EQ(scenario.delays.at(0).arms, (std::vector{Arm::split, Arm::shard}));
  EXPECT_EQ(scenario.faults.at(0).fault, FaultKind::wrong_data);
  EXPECT_EQ(scenario.faults.at(0).session, 2);
  EXPECT_EQ(scenario.faults.at(1).fault, FaultKind::hang);
}

TEST(Scenario, WrittenOutItSaysWhatWasRead) {
  const auto written = to_json(load(kWhole));
  EXPECT_EQ(written["noise"]["state"]["autocorrelation"], 0.8);
  EXPECT_EQ(written["collective"][1]["bandwidth_bytes_per_s"], 10e9);
  EXPECT_FALSE(written["collective"][1].contains("to_bytes"));
  EXPECT_EQ(written["faults"][1]["fault"], "hang");
  EXPECT_EQ(to_json(load(written.dump())), written);
}

TEST(Scenario, WhatIsWrongIsNamedWhereItStands) {
  const struct {
    const char* text;
    const char* expected;  // part of the message
  } cases[] = {
      {"[]", "s.json:1:1: expected an object"},
      {R"({"serial": 1})", "at /serial: unknown key; did you mean 'serial_s'?"},
      {R"({"serial_s": "1"})", "at /serial_s: expected a number from 0.0 to 1000.0, found \"1\""},
      {R"({"serial_s": -1})", "at /serial_s: expected a number from 0.0"},
      {R"({"shard_efficiency": 0})", "at /shard_efficiency: expected a number from 0.001"},
      {R"({"noise": {"sd": 1}})", "at /noise/sd: unknown key"},
      {R"({"noise": {"state": {"autocorrelation": 1}}})", "at /noise/state/autocorrelation: "},
      {R"({"noise": {"session": {"distribution": "cauchy"}}})",
       "at /noise/session/distribution: expected one of normal, t3"},
      {R"({"collective": []})", "at /collective: expected a list of one segment or more"},
      {R"({"collective": [{"to_bytes": 5}]})",
       "at /collective/0: the last segment has no to_bytes"},
      {R"({"collective": [{}, {}]})", "at /collective/0: expected to_bytes above"},
      {R"({"collective": [{"to_bytes": 5}, {"to_bytes": 5}, {}]})", "at /collective/1: expected"},
      {R"({"slowdowns": [{"rank": 0}]})", "at /slowdowns/0: the key 'factor' is missing"},
      {R"({"slowdowns": [{"factor": 0}]})", "at /slowdowns/0/factor: expected a number from 0.001"},
      {R"({"slowdowns": [{"factor": 2, "rank": 2}]})",
       "at /slowdowns/0/rank: expected a whole number from 0 to 1, found 2"},
      {R"({"slowdowns": [{"factor": 2, "work": ["shards"]}]})", "at /slowdowns/0/work/0: "},
      {R"({"delays": [{"at": "shard"}]})", "at /delays/0: the key 'seconds' is missing"},
      {R"({"delays": [{"seconds": 1, "arms": ["spilt"]}]})", "at /delays/0/arms/0: unknown name"},
      {R"({"faults": ["hang"]})", "at /faults/0: expected an object, found \"hang\""},
      {R"({"faults": [{"fault": "hangs"}]})", "at /faults/0/fault: "},
      {R"({"serial_s": 1, "serial_s": 2})", "s.json:1:"},
  };
  for (const auto& each : cases) {
    const std::string said = refusal(each.text);
    EXPECT_NE(said.find(each.expected), std::string::npos) << each.text << "\n" << said;
  }
}

TEST(Scenario, RanksAreThoseOfTheRun) {
  const char* text = R"({"delays": [{"seconds": 1, "rank": 7}]})";
  EXPECT_EQ(load(text, 8).delays.at(0).rank, 7);
  EXPECT_NE(
      refusal(text, 7).find("at /delays/0/rank: expected a whole number from 0 to 6, found 7"),
      std::string::npos);
}

TEST(Scenario, LayersAreThoseOfTheLongestOperation) {
  const char* text = R"({"delays": [{"seconds": 1, "layer": 4}]})";
  EXPECT_EQ(load(text, 2, 5).delays.at(0).layer, 4);
  EXPECT_NE(
      refusal(text, 2, 4).find("at /delays/0/layer: expected a whole number from 0 to 3, found 4"),
      std::string::npos);
}

}  // namespace
}  // namespace splitbench::simulated

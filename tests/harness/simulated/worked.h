// The base case of the documentation (docs/formulas.md "Inverse questions") as a scenario: four
// layers of 0.2 ms serial work and 3 ms of products, efficiency 0.8, l 30 us, B 10 GB/s; 500 tokens
// of d_model 1000 in fp32 are a message of 2 000 000 bytes, and on two ranks so is V.
#pragma once

#include "harness/backends/simulated/scenario.h"
#include "model/operation.h"
#include "protocols/plan.h"
#include "protocols/protocol.h"

namespace splitbench::simulated {

inline Scenario worked_scenario() {
  Scenario scenario;
  scenario.serial_s = 0.2e-3;
  scenario.product_s = 3e-3;
  scenario.shard_efficiency = 0.8;
  scenario.collective = {{.to_bytes = {}, .latency_s = 30e-6, .bandwidth_bytes_per_s = 10e9}};
  return scenario;
}

inline Operation worked_operation() {
  return {.tokens = 500, .d_model = 1000, .d_ff = 4000, .layers = 4};
}

inline Step on_all_ranks(Arm arm) {
  return {.point = 0, .arm = arm, .message = {}, .device = {}};
}

inline Step on_rank(Arm arm, int rank) {
  return {.point = 0, .arm = arm, .message = {}, .device = rank};
}

// All arms and the default sweep.
inline Protocol worked_protocol(int sessions, int rounds) {
  Protocol protocol;
  protocol.name = "worked";
  protocol.purpose = "Are known parameters found again?";
  protocol.points = {worked_operation()};
  for (const auto& arm : arms()) protocol.arms.push_back(arm.value);
  protocol.launch = Launch::direct;
  protocol.sampling.sessions = sessions;
  protocol.sampling.rounds = rounds;
  return protocol;
}

}  // namespace splitbench::simulated

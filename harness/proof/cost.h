// What simulating and analysing cost on this machine, now. Not part of what is proved.
#pragma once

#include <nlohmann/json.hpp>

namespace splitbench::proof {

// {"simulated_sessions_per_s": 2 ranks, 4 layers, 20 rounds of all arms;
//  "analysis_s": 20 sessions, 20 rounds, all arms, 10 000 draws}.
nlohmann::ordered_json measured_cost();

}  // namespace splitbench::proof

// One part of the proof: what was tried, what was seen, what was asked of it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/proof/claim.h"
#include "harness/proof/experiment.h"
#include "harness/proof/published_tables.h"
#include "harness/proof/ticker.h"

namespace splitbench::proof {

struct Study {
  std::string name;
  std::string about;  // sentences: what was tried, and how to read the rows
  // Flat objects with the same keys: texts, numbers, null, and what share_json() and value_json()
  // give.
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::vector<Claim> claims;
  std::string not_run;  // why there are no rows; empty where there are
};

// {"share", "interval" (95 %), "trials"}; null of no trials.
nlohmann::ordered_json share_json(const Proportion& proportion);
// {"value", "interval" (95 %)} of the mean of independent values; null of none.
nlohmann::ordered_json mean_json(const std::vector<double>& values);

// What every study is given.
struct Order {
  int seeds = 2000;
  std::uint64_t seed = 1;
  Sabotage sabotage = Sabotage::none;
  std::vector<PublishedTables> tables;  // none: what takes them is not run
};

// The seed of a run: its own, whatever other runs there are.
std::uint64_t run_seed(const Order& order, std::string_view study, std::size_t part, int run);

}  // namespace splitbench::proof

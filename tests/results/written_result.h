// Result documents with numbers that a test writes into them, and runs of a series made of those.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/series.h"

namespace splitbench::test {

struct WrittenResult {
  std::string id = "run";
  std::string started_utc = "2020-01-01T00:00:00Z";
  double t1 = 12.8e-3;  // s
  double tn = 9.22e-3;  // s
  double spread = 0.0;  // standard error of the speedup and T_N, relative, over 6 sessions
  std::string nccl = "2.27.3";
};

// Of the documentation's base case on two devices, 6 sessions, whole.
nlohmann::ordered_json written_result(const WrittenResult& numbers);

ResultView view_of(const nlohmann::ordered_json& result);

// One run a day from 2020-01-01 on, which any clock has passed: "run-0", "run-1", ...
WrittenResult nightly(int night);
std::vector<SeriesRun> series_of(const std::vector<WrittenResult>& results);

}  // namespace splitbench::test

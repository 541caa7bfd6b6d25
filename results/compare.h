// Two results beside each other, splitbench.comparison/1: what is better, worse, the same, or
// cannot be told from noise, point by point. results/schema/comparison.schema.json describes every
// key.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "results/result_view.h"

namespace splitbench {

inline constexpr std::string_view kComparisonSchema = "splitbench.comparison/1";

struct ComparisonOptions {
  double least_effect = 0.01;  // unless either result's own A/A comparison says more
  bool across = false;         // two machines, too
};

// Every value is b over a less 1, but for the latency: what its difference makes of T_N of a,
// Q (l_b - l_a) / T_N,a, for l may be 0. Throws InvalidInput for results that are unlike: of other
// kinds of times, backends or, unless `across`, machines, or without a point in common.
nlohmann::ordered_json comparison_document(const ResultView& a, const ResultView& b,
                                           const ComparisonOptions& options);

}  // namespace splitbench

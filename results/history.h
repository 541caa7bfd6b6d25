// Series of results over time, splitbench.history/1: every value, where its level changed, and what
// changed in the environment there. results/schema/history.schema.json describes every key.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "model/change_points.h"
#include "results/series.h"

namespace splitbench {

inline constexpr std::string_view kHistorySchema = "splitbench.history/1";

// `runs` of one machine and protocol, the oldest first, not empty. For every point that any of them
// has a series of the speedup, T1 and T_N, on whose logarithms the change points are sought. A
// change of the environment stands beside a change point where it lies at most two runs away, since
// noise may hide the first run after a change.
nlohmann::ordered_json history_document(const std::vector<SeriesRun>& runs,
                                        const ChangePointRule& rule);

}  // namespace splitbench

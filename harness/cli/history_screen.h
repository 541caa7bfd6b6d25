// Series over time as a screen of 80 columns.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitbench::cli {

// Of a splitbench.history/1: each series as its levels, what changed beside each change, and at
// most `last` of its newest values.
std::string history_screen(const nlohmann::ordered_json& history, std::size_t last);

}  // namespace splitbench::cli

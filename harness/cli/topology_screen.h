// A topology document as tables of 80 columns.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitbench::cli {

// Takes what `splitbench topology --format json` prints; throws nlohmann::json::exception for
// another document.
std::string topology_screen(const nlohmann::ordered_json& topology);

}  // namespace splitbench::cli

// What a run says at its end, on one screen of 80 columns of plain ASCII, for people who see the
// tool for the first time.
//
// Made from the result document alone, so that a stored result shows the same screen again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace splitbench::cli {

// `kept`: where the result lies, a line each ("run ID in FILE"); empty: nowhere. Points beyond the
// third are in the answer's table and not in detail. Takes a document that is valid against
// results/schema/result.schema.json; throws nlohmann::json::exception for another.
std::string verdict_screen(const nlohmann::ordered_json& result,
                           const std::vector<std::string>& kept);

}  // namespace splitbench::cli

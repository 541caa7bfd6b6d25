// One point of a result document as lines of a screen: verdicts, budget, parameters, break-evens.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/cli/screen_text.h"

namespace splitbench::cli {

// What tells the point from its neighbours: "128 tokens", with the sizes in which they differ.
std::string label(const nlohmann::ordered_json& point, const nlohmann::ordered_json& points);

// "unknown" for null. An estimate is {value, interval}; apart, its two parts are members.
std::string estimate_text(const nlohmann::ordered_json& estimate, Unit unit);
std::string apart_text(const nlohmann::ordered_json& object, const char* key,
                       const char* interval_key, Unit unit);

// Why the value at this path of the point is null.
std::string reason(const nlohmann::ordered_json& point, const std::string& path);

// The lines of result["points"][index], which has its numbers: not of a void result. With a single
// point every verdict comes with its reason in full.
std::string point_screen(const nlohmann::ordered_json& result, std::size_t index);

// What the symbols and words are in point_screen() of the first `shown` points: H stands for
// collectives whose fixed cost no line tells from their bytes.
std::string legend(const nlohmann::ordered_json& points, std::size_t shown);

}  // namespace splitbench::cli

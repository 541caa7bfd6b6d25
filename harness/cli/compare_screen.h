// A comparison as a screen of 80 columns.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitbench::cli {

// Of a splitbench.comparison/1.
std::string compare_screen(const nlohmann::ordered_json& comparison);

// "  what: before -> after", a line each; `indent` spaces before each.
std::string environment_lines(const nlohmann::ordered_json& changes, std::size_t indent);

}  // namespace splitbench::cli

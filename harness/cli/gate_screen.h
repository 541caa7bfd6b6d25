// A gate's answer, and a mark that was set, as a screen of 80 columns.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitbench::cli {

// Of a splitbench.gate/1.
std::string gate_screen(const nlohmann::ordered_json& gate);

}  // namespace splitbench::cli

// What a user sees of an estimate. Takes the document of results/node_estimate.h.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitbench::cli {

std::string estimate_screen(const nlohmann::ordered_json& estimate);

// "1.20 to 1.90"; "9.20 ms to 11.0 ms". One number where both ends are the same.
std::string range_text(const nlohmann::ordered_json& range, bool is_time);

// "16 tokens: d_model 4096, d_ff 21504, 32 layers, bf16".
std::string operation_text(const nlohmann::ordered_json& operation);

}  // namespace splitbench::cli

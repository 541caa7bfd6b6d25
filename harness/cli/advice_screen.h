// What a user sees of an advice. Takes the document of results/advice.h.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitbench::cli {

std::string advice_screen(const nlohmann::ordered_json& advice);

}  // namespace splitbench::cli

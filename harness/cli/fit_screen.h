// The fit document as a table of 80 columns.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitbench::cli {

// Takes what `splitbench fit --format json` prints.
std::string fit_screen(const nlohmann::ordered_json& fit);

}  // namespace splitbench::cli

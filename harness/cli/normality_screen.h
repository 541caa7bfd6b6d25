// Bandwidths beside what is usual of their links. Takes a list of results/normality.h.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitbench::cli {

// Nothing for an empty list. Of pairs that all are as usual one line, with the lowest.
std::string normality_text(const nlohmann::ordered_json& list);

}  // namespace splitbench::cli

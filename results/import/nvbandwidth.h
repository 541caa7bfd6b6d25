// nvbandwidth, as text and as JSON: copies between devices and between host and devices. Source of
// the formats: NVIDIA/nvbandwidth, output.cpp and json_output.cpp of 0.4 to 0.8.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/import/imported_node.h"
#include "results/import/text_source.h"

namespace splitbench {

bool looks_like_nvbandwidth(const TextSource& source);
bool looks_like_nvbandwidth_json(const TextSource& source);

// Throw BadDocument where there is no whole matrix, and for rates that are not GB/s or times that
// are not ns; the JSON one with the pointer. What did not pass there is no evidence here.
void read_nvbandwidth(const TextSource& source, ImportedNode& node);
void read_nvbandwidth_json(const TextSource& source, ImportedNode& node);

// "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)" in the fields of `matrix`; what one cell is
// in base units. None where the unit is another.
std::optional<double> describe(std::string_view description, PairMatrix& matrix);
inline constexpr const char* kUnnamedMatrix = "a matrix without its name";
inline constexpr const char* kNvbandwidthUnits = "a table in (GB/s) or (ns), as nvbandwidth writes";

// Notes where the cells do not add up to `sum`, in the unit that is written there.
void check_sum(const PairMatrix& matrix, double sum, std::vector<std::string>& notes);

}  // namespace splitbench

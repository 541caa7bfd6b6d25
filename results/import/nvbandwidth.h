// nvbandwidth, as text and as JSON: copies between devices and between host and devices. Source of
// the formats: NVIDIA/nvbandwidth, output.cpp and json_output.cpp of 0.4 to 0.8.
#pragma once

#include "results/import/imported_node.h"
#include "results/import/text_source.h"

namespace splitbench {

bool looks_like_nvbandwidth(const TextSource& source);
bool looks_like_nvbandwidth_json(const TextSource& source);

// Throw BadDocument where there is no whole matrix, and the JSON one with the pointer.
void read_nvbandwidth(const TextSource& source, ImportedNode& node);
void read_nvbandwidth_json(const TextSource& source, ImportedNode& node);

// "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)" in the fields of `matrix`; what one cell is
// in base units.
double describe(std::string_view description, PairMatrix& matrix);

}  // namespace splitbench

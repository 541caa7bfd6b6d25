// "Is my number normal?": a bandwidth that was measured beside the ceiling of its link and what
// such links usually reach, and the usual causes where it is less. docs/estimates.md "What is usual
// of a link".
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/known_node.h"
#include "results/node_link.h"

namespace splitbench {

struct Normality {
  std::string what;  // "copy 0-1, one way", "all-reduce of 537 MB, bus bandwidth"
  std::string from;  // the table or the file
  BytesPerSecond measured{};
  BytesPerSecond ceiling{};  // of the link, one way
  std::string ceiling_from;
  double share = 0.0;  // measured over ceiling
  Interval usual;      // of the share
  std::string causes;  // of less; empty where it is not less
};

// Of every pair whose copies were measured, and of the largest all-reduce of every run of as many
// ranks as the texts name devices. What has no ceiling is left out.
std::vector<Normality> normality_of(const KnownNode& known, const Answer<GpuModel>& gpu);

nlohmann::ordered_json to_json(const std::vector<Normality>& list);

}  // namespace splitbench

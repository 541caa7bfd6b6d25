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
  std::string causes;  // of less, or of more than can be; empty where it is neither
};

// Of the largest all-reduce of a run. None, with the reason, where the link of its ranks is not
// known or is none of the node's, or where it is so small that its time is not the link's.
Answer<Normality> normality_of(const KnownRun& run, const ImportedNode& node,
                               const Answer<GpuModel>& gpu);

// Of every pair whose copies were measured, and of every run. What has none is left out.
std::vector<Normality> normality_of(const KnownNode& known, const Answer<GpuModel>& gpu);

// Of the largest all-reduce of a result document: GPUs that were measured. Nothing of any other,
// for no catalogue has a ceiling of them. Throws nlohmann::json::exception for another document.
std::vector<Normality> normality_of_result(const nlohmann::ordered_json& result,
                                           const std::vector<GpuModel>& catalogue);

nlohmann::ordered_json to_json(const std::vector<Normality>& list);

}  // namespace splitbench

// What splitting would bring on a node that nobody here has measured: from the name of its GPU, how
// they are joined, and times of its all-reduce where someone has them. Ranges, labelled estimate.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/operation.h"
#include "model/split_range.h"
#include "results/known_node.h"
#include "results/node_link.h"

namespace splitbench {

inline constexpr const char* kEstimateSchema = "splitbench.estimate/1";

struct EstimateRequest {
  KnownNode known;
  std::vector<GpuModel> catalogue;
  std::string gpu;  // what a user calls it, or empty
  int ranks = 2;
  std::vector<Operation> operations;
  // What a user knows already, of each operation: its range is then this number.
  std::optional<Seconds> serial;
  std::optional<Seconds> compute;
  std::optional<double> efficiency;
};

// Of one parameter: its range and what that is from.
struct SourcedRange {
  Interval range;
  std::string from;
};

// What splits over which link, by what times.
struct EstimateSetting {
  GpuModel gpu;
  NodeLink link;
  std::vector<int> devices;           // the tool's numbers; empty where no text names them
  std::vector<const KnownRun*> runs;  // whose times are used as one, see choose_runs()
  std::vector<std::string> notes;
};

// Throws InvalidInput where the GPU is not known, its rates are not, or the node has fewer devices
// than ranks; BadDocument for runs that contradict each other.
EstimateSetting estimate_setting(const EstimateRequest& request);

// Of one all-reduce of `message`: all that the runs' times say, or bounds of the link's class.
SourcedRange collective_range(const EstimateSetting& setting, Bytes message, int ranks);

// Schema: results/schema/estimate.schema.json. Throws as estimate_setting().
nlohmann::ordered_json estimate_document(const EstimateRequest& request);

}  // namespace splitbench

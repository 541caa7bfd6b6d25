// The result document of a protocol carried out on tables of times: splitbench.result/1 with
// times_are "tabulated".
//
// There are no samples, so what is of samples (arms, sweep, correctness, attribution) is null with
// that reason, and rounds are 0. `choices` of a point has every implementation of the all-reduce
// beside the one that was predicted with; `faster_intervals` of the document where along the
// points' tokens the split is faster, for each implementation and each pair of widths.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/collective_fit.h"
#include "model/tabulated.h"
#include "results/run_record.h"

namespace splitbench {

struct TabulatedImplementation {
  std::string name;
  Answer<TableTime> collective = Answer<TableTime>::none("not read");  // H of one layer
  Answer<TabulatedSplit> split = Answer<TabulatedSplit>::none("not read");
};

struct TabulatedPoint {
  TabulatedLayer layer;  // with the first implementation
  Answer<CollectiveLine> line = Answer<CollectiveLine>::none("not fitted");
  // Put together from entries that the prediction could not read.
  Answer<Seconds> tn = Answer<Seconds>::none("not read");
  std::vector<TabulatedImplementation> implementations;  // the first has a split
};

// `points` are those of run.protocol, in its order.
nlohmann::ordered_json tabulated_document(const RunRecord& run,
                                          const std::vector<TabulatedPoint>& points);

}  // namespace splitbench

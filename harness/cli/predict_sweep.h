// predict --sweep: one parameter over a range, and where along it the split is faster.
#pragma once

#include <string_view>
#include <vector>

#include "model/faster_intervals.h"
#include "model/split_time.h"

namespace splitbench::cli {

// What one name of the command line means to the model.
struct SweepParameter {
  std::string_view name;    // as in --sweep compute=...
  std::string_view suffix;  // of its keys in JSON: "_s", "_bytes", "_bytes_per_s" or nothing
  bool whole_number;
  double (*parse)(std::string_view text);            // base units
  void (*set)(SplitParameters& parameters, double);  // base units
};

struct Sweep {
  const SweepParameter* parameter = nullptr;
  std::vector<double> values;  // base units, ascending, whole numbers without repeats
};

// "NAME=FROM:TO:lin|log:COUNT". Throws InvalidInput with what would be right.
Sweep parse_sweep(std::string_view text);

// Where the split is faster than one device, along the sweep. Between two neighbouring values with
// different answers the crossing is found by bisection (whole numbers: the value itself). What
// happens twice between two neighbours is not seen.
std::vector<FasterInterval> faster_intervals(const SplitParameters& base, const Sweep& sweep);

}  // namespace splitbench::cli

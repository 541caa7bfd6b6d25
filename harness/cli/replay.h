// `run --backend replay`: a protocol carried out on tables of times.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cli/run_options.h"

namespace splitbench::cli {

// Throws InvalidInput where tables are given to another backend, or none to this one.
void check_replay_options(const RunOptions& options);

// Of what was asked. Without a protocol and tokens of the user's own its points are the rows of the
// MLP table. Throws as replay::read_tables does.
struct Replay {
  replay::Tables tables;
  Protocol protocol;
  bool every_row = false;
};
Replay prepare_replay(const RunOptions& options, Protocol protocol);

// The document, kept as that of any run. Throws InvalidInput for a point that a table does not
// cover; of rows of the MLP table those are left out, and the document says how many.
nlohmann::ordered_json carry_out(const RunOptions& options, Replay replay,
                                 const std::vector<std::string>& command);

// What a user sees of it: where splitting pays, then the points, 80 columns of ASCII.
std::string replay_screen(const nlohmann::ordered_json& result,
                          const std::vector<std::string>& kept);

}  // namespace splitbench::cli

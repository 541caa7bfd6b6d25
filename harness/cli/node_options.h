// The options that say which node and which operation an estimate is about.
#pragma once

#include <string>
#include <vector>

#include "results/node_estimate.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace splitbench::cli {

struct NodeOptions {
  std::vector<std::string> files;  // what someone pasted of the node, and times of its all-reduce
  std::string gpu;                 // its GPU's name, where no file says it
  std::string operation;           // as of parse_operations()
};

// --node FILE..., --gpu NAME, --operation WHAT.
std::vector<CLI::Option*> add_node_options(CLI::App& app, NodeOptions& options);

// "tokens=1,16,d_model=4096,d_ff=14336,layers=32,dtype=bf16" (layers 1 and bf16 where they are left
// out), or the name of a protocol or preset, or a protocol's file. Throws
// InvalidInput("operation").
std::vector<Operation> parse_operations(const std::string& text);

// Reads the files and the catalogue. Throws BadDocument, InvalidInput.
EstimateRequest estimate_request(const NodeOptions& options, int ranks);

}  // namespace splitbench::cli

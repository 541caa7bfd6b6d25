// `topology --expect FILE` and `topology --promise`: a node held against what was promised of it,
// and a promise made of a node that is good.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cli/options.h"
#include "results/inspection.h"

namespace splitbench::cli {

struct ExpectOptions {
  std::string promise;               // file; empty: none is judged
  bool make_promise = false;         // of what is here or was pasted
  std::vector<std::string> results;  // runs there: files, or ids in the store
  std::filesystem::path store;
};

void add_expect_options(CLI::App& app, ExpectOptions& options);
bool is_asked(const ExpectOptions& options);

// The files are read before anything is looked at, so that what is wrong with them is said at once.
// Throws BadDocument.
class PromiseCheck {
 public:
  explicit PromiseCheck(ExpectOptions options);

  // Prints what was asked for; an ExitCode: 1 where a promise is broken, 4 where one is not known
  // to be kept.
  int judge(const KnownNode& known, Format format) const;

 private:
  ExpectOptions options_;
  Promise promise_;
  std::vector<nlohmann::ordered_json> results_;
};

// What is here, as `topology` found it.
KnownNode known_node_of(const nlohmann::ordered_json& topology);
// What someone pasted.
KnownNode known_node_of(const std::vector<std::string>& files);

// What a user sees of splitbench.inspection/1.
std::string inspection_screen(const nlohmann::ordered_json& inspection);

}  // namespace splitbench::cli

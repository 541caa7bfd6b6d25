// Where a run's result goes: the store, a file, standard output.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cli/run_options.h"
#include "results/store.h"

namespace splitbench::cli {

// Before anything is run: throws InvalidInput where --out is no file that can be made.
void check_files(const RunOptions& options);

// Of --store, else the default one. Throws StoreError, CannotRunHere.
Store open_store(const RunOptions& options);

struct Kept {
  std::vector<std::string> places;  // where the result can be found
  std::string fault;                // why it is not everywhere it was to be; else empty
};

// Ends the run in the store with its document, and writes that to --out as well.
Kept keep(const RunOptions& options, Store& store, const nlohmann::ordered_json& document);

// On standard output, as JSON or as `screen` shows it with the places where it is kept. Then throws
// HarnessError where it is not kept as it was to be.
using Screen = std::function<std::string(const nlohmann::ordered_json& document,
                                         const std::vector<std::string>& kept)>;
void print(const RunOptions& options, const Kept& kept, const nlohmann::ordered_json& document,
           const Screen& screen);

// The same of a run that is in no store; writes its document to --out first. Throws NewFileError.
void show_unstored(const RunOptions& options, const nlohmann::ordered_json& document,
                   const Screen& screen);

}  // namespace splitbench::cli

// What `splitbench run` was asked for, turned into a checked protocol.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/backend.h"
#include "harness/backends/replay/replay.h"
#include "harness/cli/options.h"

namespace splitbench::cli {

struct RunOptions {
  std::string protocol;  // empty: the default one of the backend
  std::string backend = "auto";
  Format format = Format::table;
  bool quiet = false;
  bool dry_run = false;
  std::filesystem::path store;
  std::filesystem::path out;
  std::filesystem::path scenario;  // empty: none was given
  // Of --backend replay.
  std::filesystem::path mlp_table;
  std::vector<std::filesystem::path> collective_tables;
  std::string implementation;  // empty: that of the first table
  std::optional<replay::LeftOut> left_out;
  std::optional<double> require_speedup;
  bool require_model = false;
  std::optional<double> price_per_hour;
  Seconds patience{60};
  DeviceRequest devices;
  // Of a run that 'gate --confirm' starts.
  std::string confirms;  // the id of the other run
  int parent = 0;        // the process with which it ends; 0: none

  // What replaces the protocol's own values; nothing where the option was not given.
  std::vector<std::int64_t> tokens;
  std::optional<std::int64_t> d_model, d_ff, layers, sessions, rounds;
  std::optional<int> ranks;
  std::optional<std::string> dtype, cache;
  std::optional<Seconds> budget;
  std::optional<std::uint64_t> seed;
};

// What `run` takes without a protocol on this backend, or on the one that "auto" means here.
std::string default_protocol(const std::string& backend);

void add_run_options(CLI::App& app, RunOptions& options);

// The protocol with the options' values in place of its own, checked. Throws BadDocument,
// InvalidInput.
Protocol resolve_protocol(const RunOptions& options);

}  // namespace splitbench::cli

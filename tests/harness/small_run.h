// A run small enough for a test: seconds on two cores.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::test {

// Ranks may share cores: what is tested here holds on any machine, but times mean nothing.
inline std::vector<std::string> small_run(const std::filesystem::path& store,
                                          const std::vector<std::string>& more = {}) {
  std::vector<std::string> all{"run",      "--backend", "host",      "--oversubscribe",
                               "--tokens", "2",         "--d-model", "64",
                               "--d-ff",   "128",       "--layers",  "2",
                               "--format", "json",      "--store",   store.string()};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Long enough to be disturbed: rounds by the thousand.
inline std::vector<std::string> long_run(const std::filesystem::path& store,
                                         const std::vector<std::string>& more = {}) {
  std::vector<std::string> options{"--sessions", "3", "--rounds", "900", "--budget", "1000s"};
  options.insert(options.end(), more.begin(), more.end());
  return small_run(store, options);
}

inline std::vector<nlohmann::json> stored_runs(const std::filesystem::path& store) {
  const ProcessResult listed =
      run_splitbench({"list", "runs", "--format", "json", "--store", store.string()});
  if (listed.exit_code != 0) return {};
  return nlohmann::json::parse(listed.out).at("runs").get<std::vector<nlohmann::json>>();
}

}  // namespace splitbench::test

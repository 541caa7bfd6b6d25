// `splitbench doctor` and its like on stand-in devices, under a scenario of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::test {

class OnStandIns {
 public:
  explicit OnStandIns(const nlohmann::json& scenario) {
    const auto file = directory_ / "scenario.json";
    std::ofstream(file) << scenario.dump();
    setenv("SPLITBENCH_STANDIN", file.c_str(), 1);
  }

  // splitbench-standin splitbench ARGUMENTS...
  static ProcessResult splitbench(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), SPLITBENCH_PROGRAM);
    return Program(SPLITBENCH_STANDIN_LAUNCHER, arguments).wait();
  }
  std::filesystem::path path(const std::string& name) const { return directory_ / name; }

 private:
  TemporaryDirectory directory_;
};

// The result of one check of a document with `checks` (or of a result's `preflight`).
inline nlohmann::json check_in(const nlohmann::json& checks, const std::string& name) {
  for (const nlohmann::json& check : checks) {
    if (check.at("check") == name) return check;
  }
  return nullptr;
}

}  // namespace splitbench::test

// A run of the built program with the cuda backend on stand-in devices, in virtual time.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::test {

// `splitbench-standin splitbench ARGUMENTS` with this scenario, in a directory of its own.
class StandinRun {
 public:
  explicit StandinRun(const nlohmann::json& scenario);

  // A protocol of few rounds, with these operations and further members; its path.
  std::string protocol(const std::vector<nlohmann::json>& operations,
                       const nlohmann::json& more = nlohmann::json::object());

  // `run PROTOCOL --backend cuda --format json` with a store of its own.
  ProcessResult try_run(const std::string& protocol, const std::vector<std::string>& more = {});
  // The same, which must end well: the document.
  nlohmann::json result(const std::string& protocol, const std::vector<std::string>& more = {});

 private:
  TemporaryDirectory directory_;
};

}  // namespace splitbench::test

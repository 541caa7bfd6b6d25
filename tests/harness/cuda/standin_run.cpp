#include "tests/harness/cuda/standin_run.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace splitbench::test {

StandinRun::StandinRun(const nlohmann::json& scenario) {
  const auto file = directory_ / "scenario.json";
  std::ofstream(file) << scenario.dump();
  setenv("SPLITBENCH_STANDIN", file.c_str(), 1);
}

std::string StandinRun::protocol(const std::vector<nlohmann::json>& operations,
                                 const nlohmann::json& more) {
  nlohmann::json document{
      {"schema", "splitbench.protocol/1"},
      {"name", "on-stand-ins"},
      {"purpose", "Is the truth recovered?"},
      {"operations", operations},
      {"sampling", {{"sessions", 3}, {"rounds", 2}, {"warmup_rounds", 1}, {"block_min_s", 1e-6}}}};
  document.update(more);
  const auto file = directory_ / "protocol.json";
  std::ofstream(file) << document.dump();
  return file.string();
}

ProcessResult StandinRun::try_run(const std::string& protocol,
                                  const std::vector<std::string>& more) {
  std::vector<std::string> arguments{SPLITBENCH_PROGRAM,
                                     "run",
                                     protocol,
                                     "--backend",
                                     "cuda",
                                     "--format",
                                     "json",
                                     "--store",
                                     (directory_ / "s.db").string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return Program(SPLITBENCH_STANDIN_LAUNCHER, arguments).wait();
}

nlohmann::json StandinRun::result(const std::string& protocol,
                                  const std::vector<std::string>& more) {
  const ProcessResult ended = try_run(protocol, more);
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  return nlohmann::json::parse(ended.out);
}

}  // namespace splitbench::test

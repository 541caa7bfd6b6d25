// The installed tree, moved elsewhere: the program finds its modules there.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::test {
namespace {

TEST(Install, TheTreeCanBeMovedAndStillMeasures) {
  const TemporaryDirectory directory;
  const auto first = directory / "first";
  const auto moved = directory / "moved";
  const ProcessResult installed =
      Program(SPLITBENCH_CMAKE, {"--install", SPLITBENCH_BUILD_DIRECTORY, "--prefix", first})
          .wait();
  ASSERT_EQ(installed.exit_code, 0) << installed.err;
  std::filesystem::rename(first, moved);
  EXPECT_TRUE(std::filesystem::exists(moved / "lib/splitbench/libsplitbench_host.so"));
  EXPECT_TRUE(std::filesystem::exists(moved / "share/splitbench/protocols/default.json"));

  const std::string program = moved / "bin/splitbench";
  const ProcessResult run =
      Program(program,
              {"run", "exact-example", "--backend", "host", "--oversubscribe", "--sessions", "1",
               "--rounds", "1", "--format", "json", "--store", (directory / "s.db").string()})
          .wait();
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out)["outcome"], "complete");

  std::filesystem::remove(moved / "lib/splitbench/libsplitbench_host.so");
  const ProcessResult without =
      Program(program, {"run", "--backend", "host", "--store", (directory / "s.db").string()})
          .wait();
  EXPECT_EQ(without.exit_code, 3);
  EXPECT_NE(without.err.find("backend host: this program was built without it"), std::string::npos)
      << without.err;
}

}  // namespace
}  // namespace splitbench::test

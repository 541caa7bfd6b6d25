// Which ways NCCL's variables leave open. What each value does is in NVIDIA's documentation of
// NCCL, "Environment Variables"; of a value that is not there nobody knows.
#include "harness/backends/cuda/transports.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "harness/backends/cuda/environment.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::cuda {
namespace {

constexpr std::optional<bool> kUnknown = std::nullopt;

TEST(Transports, AreAllOpenWhereNothingIsSet) {
  EXPECT_EQ(transports({}).peers, true);
  EXPECT_EQ(transports({{"NCCL_DEBUG", "INFO"}}).shared_memory, true);
}

TEST(Transports, ArePeersAsTheirVariablesSay) {
  const struct {
    const char* name;
    const char* value;
    std::optional<bool> expected;
  } cases[] = {
      {"NCCL_P2P_DISABLE", "0", true},       {"NCCL_P2P_DISABLE", "1", false},
      {"NCCL_P2P_DISABLE", "", true},        {"NCCL_P2P_DISABLE", "yes", kUnknown},
      {"NCCL_P2P_LEVEL", "LOC", false},      {"NCCL_P2P_LEVEL", "0", false},
      {"NCCL_P2P_LEVEL", "NVL", true},       {"NCCL_P2P_LEVEL", "PIX", true},
      {"NCCL_P2P_LEVEL", "SYS", true},       {"NCCL_P2P_LEVEL", "5", true},
      {"NCCL_P2P_LEVEL", "loc", kUnknown},   {"NCCL_P2P_LEVEL", "near", kUnknown},
      {"NCCL_TOPO_FILE", "t.xml", kUnknown}, {"NCCL_GRAPH_FILE", "g.xml", kUnknown},
      {"NCCL_SHM_DISABLE", "1", true},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(transports({{each.name, each.value}}).peers, each.expected)
        << each.name << "=" << each.value;
  }
}

TEST(Transports, AreClosedToPeersWhateverTheLevelWhereTheyAreDisabled) {
  EXPECT_EQ(transports({{"NCCL_P2P_DISABLE", "1"}, {"NCCL_P2P_LEVEL", "SYS"}}).peers, false);
  EXPECT_EQ(transports({{"NCCL_P2P_DISABLE", "0"}, {"NCCL_P2P_LEVEL", "LOC"}}).peers, false);
}

TEST(Transports, AreThroughTheHostsMemoryUnlessThatIsDisabled) {
  EXPECT_EQ(transports({{"NCCL_SHM_DISABLE", "0"}}).shared_memory, true);
  EXPECT_EQ(transports({{"NCCL_SHM_DISABLE", "1"}}).shared_memory, false);
  EXPECT_EQ(transports({{"NCCL_SHM_DISABLE", "x"}}).shared_memory, kUnknown);
  EXPECT_EQ(transports({{"NCCL_P2P_DISABLE", "1"}}).shared_memory, true);
}

TEST(Transports, SayWhatIsNotKnown) {
  EXPECT_EQ(to_json({.peers = kUnknown, .shared_memory = false}).dump(),
            R"({"peers":null,"shared_memory":false})");
}

// NCCL sets what its files say where the environment does not.
TEST(VariablesOfRanks, AreThoseAddedThenThoseHereThenThoseOfNcclsFile) {
  const test::TemporaryDirectory directory;
  const auto file = directory / "nccl.conf";
  std::ofstream(file) << "# of this cluster\nNCCL_P2P_DISABLE=1\nNCCL_SHM_DISABLE=1\n"
                         "NCCL_P2P_LEVEL=LOC\n";
  setenv("NCCL_CONF_FILE", file.c_str(), 1);
  setenv("NCCL_P2P_DISABLE", "0", 1);
  const auto variables = variables_of_ranks({"NCCL_SHM_DISABLE=0", "NCCL_NET=Socket"});
  unsetenv("NCCL_CONF_FILE");
  unsetenv("NCCL_P2P_DISABLE");
  EXPECT_EQ(variables.at("NCCL_SHM_DISABLE"), "0");
  EXPECT_EQ(variables.at("NCCL_NET"), "Socket");
  EXPECT_EQ(variables.at("NCCL_P2P_DISABLE"), "0");
  EXPECT_EQ(variables.at("NCCL_P2P_LEVEL"), "LOC");
}

}  // namespace
}  // namespace splitbench::cuda

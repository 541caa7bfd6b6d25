// `splitbench topology --from` as its users run it.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/process.h"
#include "tests/support/schema.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::json;

constexpr const char* kMatrix =
    "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
    "GPU0\t X \tNV4\tNODE\t0-31\t0\t\tN/A\n"
    "GPU1\tNV4\t X \tNODE\t0-31\t0\t\tN/A\n"
    "NIC0\tNODE\tNODE\t X \t\t\t\t\n";
constexpr const char* kNvlink =
    "GPU 0: NVIDIA RTX A6000 (UUID: GPU-cff6f5fd-0000-0000-0000-611a43413ab3)\n"
    "\t Link 0: 14.062 GB/s\n\t Link 1: 14.062 GB/s\n"
    "\t Link 2: 14.062 GB/s\n\t Link 3: 14.062 GB/s\n";
constexpr const char* kCopies =
    "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n"
    "   D\\D     0      1\n     0 601.28  52.63\n     1  52.70 613.80\n";

class TopologyFrom : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    const auto path = directory_.path() / name;
    std::ofstream(path) << text;
    return path.string();
  }

  TemporaryDirectory directory_;
};

TEST_F(TopologyFrom, TakesSeveralTextsForOneNode) {
  const auto result = run_splitbench({"topology", "--from", file("topo.txt", kMatrix), "--from",
                                      file("nvlink.txt", kNvlink), "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json node = Json::parse(result.out);
  EXPECT_EQ(node["schema"], "splitbench.imported-topology/1");
  EXPECT_EQ(node["source"]["formats"], Json::array({"nvidia-smi topo -m", "nvidia-smi nvlink"}));
  EXPECT_EQ(node["devices"][0]["name"], "NVIDIA RTX A6000");
  EXPECT_EQ(node["devices"][0]["numa_node"], 0);
  EXPECT_EQ(node["devices"][0]["nvlinks_bytes_per_s"].size(), 4U);
  EXPECT_TRUE(node["devices"][1]["name"].is_null());
  EXPECT_EQ(node["links"], Json::parse(R"([{"a": 0, "b": 1, "kind": "NV4", "path": "gpu-link"}])"));
  SPLITBENCH_NEEDS_SCHEMAS();
  EXPECT_EQ(schema_errors(node, "results/schema/imported_topology.schema.json"), "");
}

TEST_F(TopologyFrom, PrintsAScreenOfEightyColumns) {
  const auto result = run_splitbench(
      {"topology", "--from", file("all.txt", std::string(kMatrix) + kNvlink + kCopies)});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  for (const char* part :
       {"NV4", "NVIDIA RTX A6000, 4 NVLinks of 14.06 GB/s, NUMA node 0", "52.6", "Network: NIC0"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << "\n" << result.out;
  }
}

TEST_F(TopologyFrom, RefusesWithExitTwoAndNothingPrinted) {
  for (const auto& [text, says] : {std::pair<std::string, std::string>{"", "nothing in it"},
                                   {"hello\n", "expected what nvidia-smi"},
                                   {"GPU0 GPU1\nGPU0 X NV4\n", ":1:1: GPU1 has a column"}}) {
    const auto result = run_splitbench({"topology", "--from", file("t.txt", text)});
    EXPECT_EQ(result.exit_code, 2) << says;
    EXPECT_EQ(result.out, "") << says;
    EXPECT_NE(result.err.find(says), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace splitbench::test

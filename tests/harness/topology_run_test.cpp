// `splitbench topology` on stand-in devices in virtual time: the copies come out as the scenario
// has them, and the pair to use is named.
#include "tests/harness/doctor_run.h"

namespace splitbench::test {
namespace {

using nlohmann::json;

json topology(const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"topology", "--format", "json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProcessResult result = OnStandIns::splitbench(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}

json copy_in(const json& document, int from, int to) {
  for (const json& copy : document.at("copies")) {
    if (copy.at("from") == from && copy.at("to") == to) return copy;
  }
  return nullptr;
}

// By the scenario: 16 MiB at 20 GB/s and 5 us before the first byte, the smallest size that lasts
// 1 ms; both ways do not disturb each other.
TEST(TopologyRun, RecoversTheScenariosCopies) {
  const OnStandIns here(
      json{{"devices", 2}, {"bandwidth_bytes_per_s", 20e9}, {"copy_latency_s", 5e-6}});
  const json document = topology();
  EXPECT_EQ(document["times_are"], "stand-in");
  const json copy = copy_in(document, 0, 1);
  const double bytes = copy["bytes"];
  const double seconds = 5e-6 + bytes / 20e9;
  EXPECT_GE(seconds, 1e-3);
  EXPECT_NEAR(copy["bandwidth_bytes_per_s"].get<double>(), bytes / seconds, 1e-3 * 20e9);
  EXPECT_NEAR(copy["both_ways_bytes_per_s"].get<double>(), 2 * bytes / seconds, 2e-3 * 20e9);
  EXPECT_NEAR(copy["latency_s"].get<double>(), 5e-6, 1e-8);
  EXPECT_EQ(document["links"][0]["kind"], "NV12");
  EXPECT_EQ(document["links"][0]["path"], "gpu-link");
  EXPECT_EQ(document["links"][0]["nvlink_bytes_per_s"], 12 * 25e9);
  EXPECT_EQ(document["devices"][0]["pcie"]["generation"], 5);
}

// A link that is slow one way alone, by the factor 4, is no good pair.
TEST(TopologyRun, NamesAPairWithoutTheSlowLink) {
  const OnStandIns here(
      json{{"devices", 3}, {"faults", {{{"fault", "slow-link"}, {"rank", 0}, {"factor", 4}}}}});
  const json document = topology();
  EXPECT_NEAR(copy_in(document, 1, 0)["bandwidth_bytes_per_s"].get<double>() /
                  copy_in(document, 0, 1)["bandwidth_bytes_per_s"].get<double>(),
              4, 0.01);
  EXPECT_EQ(document["use"]["a"], 1);
  EXPECT_EQ(document["use"]["b"], 2);
}

// Two islands of four: links inside, the host's memory between. What 0, 1 and 2 send is slow, so
// that every pair of the first island is slow one way; the second island's first pair is 4 and 5.
TEST(TopologyRun, NamesAPairOfOneIslandOfTwo) {
  const OnStandIns here(json{{"devices", 8},
                             {"islands", {{0, 1, 2, 3}, {4, 5, 6, 7}}},
                             {"bandwidth_bytes_per_s", 40e9},
                             {"between_islands_bytes_per_s", 8e9},
                             {"faults",
                              {{{"fault", "slow-link"}, {"rank", 0}},
                               {{"fault", "slow-link"}, {"rank", 1}},
                               {{"fault", "slow-link"}, {"rank", 2}}}}});
  const json document = topology();
  EXPECT_EQ(document["copies"].size(), 56U);
  EXPECT_EQ(document["links"].size(), 28U);
  for (const json& link : document["links"]) {
    const bool inside = (link["a"].get<int>() < 4) == (link["b"].get<int>() < 4);
    EXPECT_EQ(link["path"], inside ? "gpu-link" : "host-memory") << link.dump();
    EXPECT_EQ(link["common_ancestor"], inside ? "NODE" : "SYS") << link.dump();
  }
  EXPECT_NEAR(copy_in(document, 3, 4)["bandwidth_bytes_per_s"].get<double>(), 8e9, 1e8);
  EXPECT_EQ(document["use"]["a"], 4);
  EXPECT_EQ(document["use"]["b"], 5);
  EXPECT_TRUE(document["use"]["is_one_of_many"]);

  const ProcessResult screen = OnStandIns::splitbench({"topology"});
  EXPECT_NE(screen.out.find(
                "Split over two: devices 4 and 5 (copies: 40 GB/s each way; messages: gpu-link;"),
            std::string::npos)
      << screen.out;
  std::size_t longest = 0;
  for (std::size_t begin = 0, end = 0; begin < screen.out.size(); begin = end + 1) {
    end = screen.out.find('\n', begin);
    longest = std::max(longest, end - begin);
  }
  EXPECT_LE(longest, 80U) << screen.out;
}

// Number and rate of NVLinks, path and peer access of every pair are on the screen, and the flow
// says of which operation it is: the first one of protocols/gpu.json. Its weights on one of two
// devices: 4 layers of A and B, 4096 x 14336 each, of 2 bytes.
TEST(TopologyRun, ShowsLinksPathsAndTheOperationThatIsSent) {
  const OnStandIns here(json{{"devices", 4}, {"islands", {{0, 1}, {2, 3}}}});
  const json document = topology();
  EXPECT_EQ(document["flow_of"]["protocol"], "gpu");
  EXPECT_EQ(document["flow_of"]["operation"]["d_ff"], 14336);
  EXPECT_EQ(document["flow"][1]["bytes"].get<double>(), 2.0 * 4096 * 14336 * 2 * 4 / 2);
  const ProcessResult screen = OnStandIns::splitbench({"topology"});
  const auto shows = [&](const std::string& text) {
    EXPECT_NE(screen.out.find(text), std::string::npos) << text << "\n" << screen.out;
  };
  shows(
      "NVLink by its specification, GB/s one way\n"
      "   from\\to       0       1       2       3\n"
      "         0       -     300    none    none\n");
  shows(
      "Path of messages: gpu link, host memory, network, same device, ? unknown\n"
      "   from\\to       0       1       2       3\n"
      "         0       -     gpu    host    host\n");
  shows(
      "Peer access\n"
      "   from\\to       0       1       2       3\n"
      "         0       -     yes      no      no\n");
  shows("470 MB");  // 469 762 048 bytes of weights
  shows("The way of bytes over this pair, for 1 token x d_model 4096, d_ff 14336, 4");
  EXPECT_EQ(screen.err.substr(0, 23), "looking at the devices\n");
  EXPECT_EQ(OnStandIns::splitbench({"topology", "--quiet"}).err, "");
}

// NVLinks that NCCL may not use.
TEST(TopologyRun, NamesNoGpuLinkThatVariablesClose) {
  const OnStandIns here(json{{"devices", 2}});
  setenv("NCCL_P2P_LEVEL", "LOC", 1);
  const json document = topology();
  const ProcessResult screen = OnStandIns::splitbench({"topology"});
  unsetenv("NCCL_P2P_LEVEL");
  // The rate above it is that of copies between peers.
  EXPECT_NE(screen.out.find("host-memory, not as the"), std::string::npos) << screen.out;
  EXPECT_EQ(document["links"][0]["kind"], "NV12");
  EXPECT_EQ(document["links"][0]["path"], "host-memory");
  EXPECT_EQ(document["use"]["path"], "host-memory");
  EXPECT_EQ(document["flow"][2]["path"], "host-memory");
}

TEST(TopologyRun, DoesNotGuessWithoutAManagementLibrary) {
  const OnStandIns here(json{{"devices", 2}, {"faults", {"nvml-init"}}});
  const json document = topology();
  EXPECT_EQ(document["links"][0]["kind"], "unknown");
  EXPECT_EQ(document["links"][0]["path"], "unknown");
  EXPECT_TRUE(document["devices"][0]["pcie"].is_null());
}

// No rate of bytes that do not arrive.
TEST(TopologyRun, RefusesDevicesThatCorrupt) {
  const OnStandIns here(
      json{{"devices", 2}, {"faults", {{{"fault", "corrupt-peer"}, {"rank", 0}}}}});
  const ProcessResult result = OnStandIns::splitbench({"topology", "--format", "json"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_NE(result.err.find("check peer-data"), std::string::npos) << result.err;
  // What was found before stays.
  const json document = json::parse(result.out);
  EXPECT_EQ(check_in(document["checks"], "peer-data")["status"], "FAIL");
  EXPECT_EQ(document["devices"].size(), 2U);
  EXPECT_EQ(document["links"][0]["kind"], "NV12");
  EXPECT_TRUE(document["use"].is_null());
  EXPECT_EQ(document["reasons"]["use"], "peer-data has not passed");

  const ProcessResult screen = OnStandIns::splitbench({"topology", "--quiet"});
  EXPECT_EQ(screen.exit_code, 5);
  EXPECT_NE(screen.out.find("FAIL    peer-data"), std::string::npos) << screen.out;
  EXPECT_NE(screen.out.find("Links: NV is NVLink"), std::string::npos) << screen.out;
}

}  // namespace
}  // namespace splitbench::test

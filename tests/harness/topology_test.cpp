// How devices are joined, from facts as an examination gives them. What no source says stays
// unknown.
#include "harness/preflight/topology.h"

#include <gtest/gtest.h>

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

// Two devices, with what the management library says of their links.
Json facts_of(const Json& links_of_a, const Json& links_of_b, int ancestor, bool granted = true) {
  const auto device = [](const char* address, int index) {
    return Json{{"index", index}, {"name", "GPU"}, {"pci_bus_id", address}};
  };
  const auto managed = [&](const char* address, const char* other, const Json& links) {
    return Json{{"pci_bus_id", address},
                {"numa_node", nullptr},
                {"pcie", {{"generation", 5}, {"width", 16}}},
                {"nvlinks", links},
                {"nvlink_bytes_per_s", 25e9},
                {"common_ancestors", {{other, ancestor}}}};
  };
  return {{"runtime",
           {{"devices", {device("0000:10:00.0", 0), device("0000:11:00.0", 1)}},
            {"transports", {{"peers", true}, {"shared_memory", true}}}}},
          {"management",
           {{"devices",
             {managed("0000:10:00.0", "0000:11:00.0", links_of_a),
              managed("0000:11:00.0", "0000:10:00.0", links_of_b)}}}},
          {"peers",
           {{"pairs",
             {{{"from", 0}, {"to", 1}, {"granted", granted}},
              {{"from", 1}, {"to", 0}, {"granted", true}}}}}}};
}

Json links(int count, const char* to, bool active = true) {
  Json all = Json::array();
  for (int i = 0; i < count; ++i) all.push_back({{"active", active}, {"to", to}});
  return all;
}

constexpr int kHostBridge = 30;  // nvml.h, NVML_TOPOLOGY_HOSTBRIDGE

Link link_of(const Json& facts) {
  const std::vector<Link> all = links_of(facts);
  EXPECT_EQ(all.size(), 1U);
  return all.at(0);
}

TEST(Topology, CountsDirectNvLinksThatAreActiveAtBothEnds) {
  const Link link =
      link_of(facts_of(links(4, "0000:11:00.0"), links(3, "0000:10:00.0"), kHostBridge));
  EXPECT_EQ(link.kind, "NV3");
  EXPECT_EQ(link.path, Path::gpu_link);
  EXPECT_EQ(link.more["nvlinks"], 3);
  EXPECT_EQ(link.more["nvlink_bytes_per_s"], 75e9);
  EXPECT_EQ(link.more["common_ancestor"], "PHB");
}

// As on nodes with NVSwitch: the links of all devices end at switches.
TEST(Topology, CountsNvLinksToASwitch) {
  const Link link =
      link_of(facts_of(links(18, "0000:C5:00.0"), links(18, "0000:C5:00.0"), kHostBridge));
  EXPECT_EQ(link.kind, "NV18");
  EXPECT_EQ(link.path, Path::gpu_link);
}

TEST(Topology, DoesNotCountLinksThatAreDown) {
  const Link link = link_of(
      facts_of(links(4, "0000:11:00.0", false), links(4, "0000:10:00.0", false), kHostBridge));
  EXPECT_EQ(link.kind, "PHB");
  EXPECT_EQ(link.more["nvlinks"], 0);
  EXPECT_EQ(link.path, Path::unknown);  // PCIe with peer access: which way is not known
}

TEST(Topology, GoesThroughTheHostWhereOneWayIsRefused) {
  const Link link = link_of(facts_of(Json::array(), Json::array(), 50, false));
  EXPECT_EQ(link.kind, "SYS");
  EXPECT_EQ(link.path, Path::host_memory);
  EXPECT_EQ(link.more["peer_access"]["a_to_b"], false);
}

// NVLinks and peer access are there, and NCCL may not use them. Which way is left is as NVIDIA's
// documentation of NCCL_P2P_DISABLE and NCCL_SHM_DISABLE has it.
TEST(Topology, GoesTheWayThatIsLeftToMessages) {
  const struct {
    Json peers;
    Json shared_memory;
    Path expected;
  } cases[] = {
      {true, true, Path::gpu_link},      {false, true, Path::host_memory},
      {false, false, Path::network},     {false, nullptr, Path::unknown},
      {true, false, Path::unknown},      {nullptr, true, Path::unknown},
      {nullptr, nullptr, Path::unknown},
  };
  Json facts = facts_of(links(4, "0000:11:00.0"), links(4, "0000:10:00.0"), kHostBridge);
  for (const auto& each : cases) {
    facts["runtime"]["transports"] = {{"peers", each.peers}, {"shared_memory", each.shared_memory}};
    const Link link = link_of(facts);
    EXPECT_EQ(link.path, each.expected) << facts["runtime"]["transports"].dump();
    EXPECT_EQ(link.kind, "NV4");
  }
  facts["runtime"].erase("transports");
  EXPECT_EQ(link_of(facts).path, Path::unknown);
}

// NVLinks alone are no way: the runtime was not asked whether devices may reach each other.
TEST(Topology, DoesNotKnowTheWayWherePeerAccessIsNotKnown) {
  Json facts = facts_of(links(4, "0000:11:00.0"), links(4, "0000:10:00.0"), kHostBridge);
  facts.erase("peers");
  EXPECT_EQ(link_of(facts).kind, "NV4");
  EXPECT_EQ(link_of(facts).path, Path::unknown);
}

TEST(Topology, GoesThroughTheNetworkWhereTheHostsMemoryIsClosedToMessages) {
  Json facts = facts_of(Json::array(), Json::array(), 50, false);
  facts["runtime"]["transports"]["shared_memory"] = false;
  EXPECT_EQ(link_of(facts).path, Path::network);
}

TEST(Topology, KnowsTwoRanksOnOneDevice) {
  Json facts = facts_of(links(4, "0000:11:00.0"), links(4, "0000:10:00.0"), kHostBridge);
  facts["runtime"]["devices"][1] = facts["runtime"]["devices"][0];
  const Link link = link_of(facts);
  EXPECT_EQ(link.kind, "same device");
  EXPECT_EQ(link.path, Path::same_device);
}

TEST(Topology, IsUnknownWithoutAManagementLibrary) {
  Json facts = facts_of(links(4, "0000:11:00.0"), links(4, "0000:10:00.0"), kHostBridge);
  facts.erase("management");
  facts.erase("peers");
  const Link link = link_of(facts);
  EXPECT_EQ(link.kind, "unknown");
  EXPECT_EQ(link.path, Path::unknown);
  EXPECT_TRUE(link.more["nvlinks"].is_null());
  EXPECT_TRUE(link.more["peer_access"]["a_to_b"].is_null());
  EXPECT_TRUE(devices_of(facts)[0]["pcie"].is_null());
}

TEST(Topology, IsEmptyWithoutDevices) {
  EXPECT_TRUE(links_of(Json::object()).empty());
  EXPECT_FALSE(best_pair(Json::object()).has_value());
}

Json copies(std::initializer_list<std::tuple<int, int, double>> rates) {
  Json all = Json::array();
  for (const auto& [from, to, rate] : rates) {
    all.push_back({{"from", from}, {"to", to}, {"bandwidth_bytes_per_s", rate}});
  }
  return {{"copies", {{"copies", all}}}};
}

// 0 and 1 are fast one way alone: what counts is the slower direction.
TEST(Topology, NamesThePairWhoseSlowerDirectionIsFastest) {
  const auto pair = best_pair(
      copies({{0, 1, 90e9}, {1, 0, 10e9}, {0, 2, 20e9}, {2, 0, 20e9}, {1, 2, 5e9}, {2, 1, 5e9}}));
  ASSERT_TRUE(pair.has_value());
  EXPECT_EQ(pair->a, 0);
  EXPECT_EQ(pair->b, 2);
  EXPECT_EQ(pair->bytes_per_s, 20e9);
  EXPECT_FALSE(pair->is_one_of_many);
}

TEST(Topology, SaysThatOtherPairsAreAsFast) {
  const auto pair = best_pair(copies({{0, 1, 10e9}, {1, 0, 10e9}, {2, 3, 9.9e9}, {3, 2, 9.9e9}}));
  ASSERT_TRUE(pair.has_value());
  EXPECT_EQ(pair->a, 0);
  EXPECT_TRUE(pair->is_one_of_many);
}

TEST(Topology, NamesNoPairOfCopiesThatTookNoTime) {
  Json facts = copies({{0, 1, 10e9}});
  facts["copies"]["copies"][0]["bandwidth_bytes_per_s"] = nullptr;
  EXPECT_FALSE(best_pair(facts).has_value());
}

}  // namespace
}  // namespace splitbench

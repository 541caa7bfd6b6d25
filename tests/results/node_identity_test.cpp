// What makes two runs of one machine, and what surrounds them: fingerprints and environments.
#include <gtest/gtest.h>

#include <functional>

#include "results/checksum.h"
#include "results/environment.h"
#include "results/fingerprint.h"
#include "tests/results/written_result.h"

namespace splitbench::test {
namespace {

// The check value of CRC-64/XZ in the catalogue of parametrised CRC algorithms.
TEST(Checksum, IsCrc64Xz) {
  EXPECT_EQ(checksum_text("123456789"), "995dc9bbdf1939fa");
  EXPECT_EQ(checksum_text(""), "0000000000000000");
}

NodeDescription two_gpus() {
  NodeDescription node;
  node.backend = "cuda";
  for (const char* uuid : {"GPU-1", "GPU-2"}) {
    node.devices.push_back({.name = "NVIDIA H200", .uuid = uuid, .memory = Bytes(1.4e11)});
  }
  node.links.push_back({.a = 0, .b = 1, .kind = "NV18", .path = Path::gpu_link});
  return node;
}

std::string changed(const std::function<void(NodeDescription&)>& change) {
  NodeDescription node = two_gpus();
  change(node);
  return fingerprint(node);
}

TEST(Fingerprint, TellsMachinesApart) {
  const std::string here = fingerprint(two_gpus());
  EXPECT_EQ(here.size(), 16U);
  EXPECT_NE(changed([](auto& node) { node.backend = "host"; }), here);
  EXPECT_NE(changed([](auto& node) { node.times_are = TimesAre::stand_in; }), here);
  EXPECT_NE(changed([](auto& node) { node.devices[0].name = "NVIDIA L4"; }), here);
  EXPECT_NE(changed([](auto& node) { node.devices[0].uuid = "GPU-3"; }), here)
      << "cards of one model differ";
  EXPECT_NE(changed([](auto& node) { std::swap(node.devices[0], node.devices[1]); }), here);
  EXPECT_NE(changed([](auto& node) { node.devices.pop_back(); }), here);
}

// Where these change, the runs before and after are what should be compared.
TEST(Fingerprint, DoesNotMoveWithSoftwareAndLinks) {
  const std::string here = fingerprint(two_gpus());
  EXPECT_EQ(changed([](auto& node) { node.software["nccl"] = "2.28"; }), here);
  EXPECT_EQ(changed([](auto& node) { node.links[0].kind = "SYS"; }), here);
  EXPECT_EQ(changed([](auto& node) { node.notes.emplace_back("busy"); }), here);
  EXPECT_EQ(changed([](auto& node) { node.devices[0].memory = Bytes(1.3e11); }), here);
}

nlohmann::ordered_json with_clock(double hertz) {
  auto result = written_result({});
  result["health"]["sessions"] = {
      {{"session", 0},
       {"ranks", nlohmann::ordered_json::array()},
       {"devices",
        {{{"rank", 0}, {"readings", {{"sm_clock_hz", {{"least", hertz}, {"most", hertz}}}}}}}}}};
  return result;
}

std::vector<EnvironmentChange> changes_between(const nlohmann::ordered_json& a,
                                               const nlohmann::ordered_json& b) {
  return changes(environment(a), environment(b));
}

TEST(Environment, AClockThatMovedByMoreThanTwoPercentHasChanged) {
  EXPECT_TRUE(changes_between(with_clock(1.98e9), with_clock(1.95e9)).empty());
  const auto found = changes_between(with_clock(1.98e9), with_clock(1.41e9));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].what, "clock of rank 0");
  EXPECT_EQ(found[0].before, "1980 MHz");
  EXPECT_EQ(found[0].after, "1410 MHz");
}

TEST(Environment, NamesLinksSoftwareVersionsAndChecks) {
  const auto before = written_result({});
  auto after = before;
  after["node"]["links"][0]["kind"] = "across NUMA nodes";
  after["node"]["software"].erase("nccl");
  after["provenance"]["version"] = "9.9";
  after["preflight"] = {{{"check", "iommu"}, {"status", "WARN"}},
                        {{"check", "mig"}, {"status", "PASS"}}};
  const auto found = changes_between(before, after);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].what, "splitbench");
  EXPECT_EQ(found[1].what, "software.nccl");
  EXPECT_EQ(found[1].after, "") << "gone";
  EXPECT_EQ(found[2].what, "link 0-1");
  EXPECT_EQ(found[3].what, "check iommu");
  EXPECT_EQ(found[3].before, "") << "new";
}

}  // namespace
}  // namespace splitbench::test

// Records as JSON: the names and keys that the contract of the result document gives them.
#include "results/record_json.h"

#include <gtest/gtest.h>

#include "model/invalid_input.h"
#include "tests/results/records.h"

namespace splitbench {
namespace {

using nlohmann::ordered_json;

TEST(RecordNames, AreThoseOfTheResultDocument) {
  EXPECT_EQ(name(TimesAre::measured), "measured");
  EXPECT_EQ(name(TimesAre::simulated), "virtual");
  EXPECT_EQ(name(TimesAre::tabulated), "tabulated");
  EXPECT_EQ(name(TimesAre::stand_in), "stand-in");
  EXPECT_EQ(name(Path::gpu_link), "gpu-link");
  EXPECT_EQ(name(Path::host_memory), "host-memory");
  EXPECT_EQ(name(Path::network), "network");
  EXPECT_EQ(name(Path::same_device), "same-device");
  EXPECT_EQ(name(Path::unknown), "unknown");
  EXPECT_EQ(name(RunOutcome::complete), "complete");
  EXPECT_EQ(name(RunOutcome::partial), "partial");
  EXPECT_EQ(name(RunOutcome::invalid), "void");
}

TEST(RecordNames, UnknownOnesAreRefusedByName) {
  const auto refused = [](const auto& action) {
    try {
      action();
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused([] { times_are("real"); }), "unknown times_are 'real'");
  EXPECT_EQ(refused([] { path_between(""); }), "unknown path ''");
  EXPECT_EQ(refused([] { run_outcome("invalid"); }), "unknown outcome 'invalid'");
}

TEST(NodeDescription, IsWrittenWithTheKeysOfTheResultDocument) {
  NodeDescription node;
  node.backend = "cuda";
  node.times_are = TimesAre::stand_in;
  node.devices = {{.name = "A", .uuid = "GPU-1", .memory = Bytes(8e10), .more = {{"sms", 132}}},
                  {.name = "B", .uuid = {}, .memory = Bytes(1)}};
  node.links = {{.a = 0, .b = 1, .kind = "NV12", .path = Path::gpu_link}};
  node.software = {{"nccl", "2.21.5"}, {"cuda", "12.4"}};
  node.notes = {"clocks are not locked"};
  const char* expected =
      R"({"backend":"cuda","times_are":"stand-in",)"
      R"("devices":[{"name":"A","uuid":"GPU-1","memory_bytes":80000000000,"sms":132},)"
      R"({"name":"B","memory_bytes":1}],)"
      R"("links":[{"a":0,"b":1,"kind":"NV12","path":"gpu-link"}],)"
      R"("software":{"nccl":"2.21.5","cuda":"12.4"},"notes":["clocks are not locked"]})";
  EXPECT_EQ(to_json(node).dump(), expected);
  EXPECT_EQ(node_from_json(ordered_json::parse(expected)), node);
}

TEST(NodeDescription, IsSummedUpByRunsOfLikeDevices) {
  const auto summary_of = [](const std::vector<std::string>& names) {
    NodeDescription node;
    for (const std::string& name : names) node.devices.push_back({.name = name, .uuid = {}});
    return summary(node);
  };
  EXPECT_EQ(summary_of({}), "");
  EXPECT_EQ(summary_of({"A"}), "A");
  EXPECT_EQ(summary_of({"A", "A"}), "2 x A");
  EXPECT_EQ(summary_of({"A", "B", "B", "A"}), "A + 2 x B + A");
}

TEST(Correctness, IsWrittenWithTheKeysOfTheResultDocument) {
  const Correctness correctness{.exact_example_passed = true,
                                .exact_integers_passed = true,
                                .negative_control_failed = true,
                                .ranks_agree = false,
                                .max_error = 0.25,
                                .error_bound = 0.5,
                                .within_bound = true,
                                .bound_informative = true,
                                .reference = "float64 product on this device",
                                .failure = ""};
  EXPECT_EQ(to_json(correctness).dump(),
            R"({"passed":true,"exact_example_passed":true,"exact_integers_passed":true,)"
            R"("negative_control_failed":true,"ranks_agree":false,"max_error":0.25,)"
            R"("error_bound":0.5,"within_bound":true,"bound_informative":true,)"
            R"("reference":"float64 product on this device","failure":"","checksum":null})");
}

TEST(Correctness, OfSessionsWithOtherBitsHasNoChecksum) {
  const Correctness first{.checksum = "0123456789abcdef"};
  const Correctness second{.checksum = "fedcba9876543210"};
  EXPECT_EQ(worst_of(first, first).checksum, first.checksum);
  EXPECT_EQ(worst_of(first, second).checksum, "");
  EXPECT_EQ(correctness_from_json(to_json(first)), first);
}

TEST(Provenance, AnUnknownCommitIsNull) {
  const Provenance provenance{.version = "0.1.0",
                              .commit = "",
                              .started_utc = "2026-01-31T12:00:00Z",
                              .seed = 18446744073709551615U,
                              .command = {"splitbench", "run"}};
  const ordered_json document = to_json(provenance);
  EXPECT_EQ(document.dump(),
            R"({"version":"0.1.0","commit":null,"started_utc":"2026-01-31T12:00:00Z",)"
            R"("seed":18446744073709551615,"command":["splitbench","run"]})");
  EXPECT_EQ(provenance_from_json(document), provenance);
}

TEST(RunRecord, WithoutOneOfItsKeysIsRefused) {
  const ordered_json whole = to_json(test::small_run("a"));
  EXPECT_EQ(run_from_json(whole), test::small_run("a"));
  for (const auto& [key, value] : whole.items()) {
    if (key == "preflight") continue;
    ordered_json document = whole;
    document.erase(key);
    EXPECT_THROW(run_from_json(document), nlohmann::json::exception) << key;
  }
}

TEST(RunRecord, OfBeforeNodesWereLookedAtHasNoPreflight) {
  ordered_json document = to_json(test::small_run("a"));
  document.erase("preflight");
  EXPECT_TRUE(run_from_json(document).preflight.empty());
}

}  // namespace
}  // namespace splitbench

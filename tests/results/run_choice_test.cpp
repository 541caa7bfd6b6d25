// Whose times are used for which devices of a node. Logs as nccl-tests prints them, their figures
// made up; what is right follows from the topology and the list of devices alone.
#include "results/run_choice.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/invalid_input.h"
#include "protocols/document.h"
#include "results/advice.h"
#include "results/node_estimate.h"
#include "results/normality.h"
#include "tests/support/shipped_catalogue.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

// A rank of a log.
struct Rank {
  int device;
  std::string bus;
  std::string host = "node1";
};

constexpr const char* kModel = "NVIDIA A100-SXM4-80GB";

// 16, 32 and 64 MiB at `rate` times 20 GB/s, which is the bus bandwidth of two ranks too.
std::string log(const std::vector<Rank>& ranks, double rate = 1.0, const std::string& wrong = "0",
                const std::string& model = kModel) {
  std::string text = "# nThread 1 nGpus 2 minBytes 8 maxBytes 1 step: 2(factor)\n";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    text += fmt::format("#  Rank {} Group  0 Pid 1 on {} device  {} [{}] {}\n", i, ranks[i].host,
                        ranks[i].device, ranks[i].bus, model);
  }
  text += "# size count type redop root time algbw busbw #wrong\n";
  for (long long bytes = 16 << 20; bytes <= 64 << 20; bytes *= 2) {
    const double us = static_cast<double>(bytes) / (20e3 * rate);
    text += fmt::format("{} {} float sum -1 {:.2f} {:.2f} {:.2f} {}\n", bytes, bytes / 4, us,
                        20.0 * rate, 20.0 * rate, wrong);
  }
  return text;
}

const std::string kFirstTwo = log({{0, "0000:10:00"}, {1, "0000:11:00"}});

// Four devices: NV12 between 0 and 3 and between 1 and 2, else SYS.
constexpr const char* kPairs =
    "\tGPU0\tGPU1\tGPU2\tGPU3\nGPU0\tX\tSYS\tSYS\tNV12\nGPU1\tSYS\tX\tNV12\tSYS\n"
    "GPU2\tSYS\tNV12\tX\tSYS\nGPU3\tNV12\tSYS\tSYS\tX\n";

KnownNode known(const std::vector<std::string>& texts) {
  std::vector<TextSource> sources;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    sources.emplace_back(texts[i], fmt::format("t{}", i));
  }
  return read_known_node(sources);
}

struct Choice {
  std::vector<int> devices;
  std::vector<std::string> files;  // of the runs that are used
};

Choice choice_of(const std::vector<std::string>& texts) {
  const KnownNode node = known(texts);
  const RunChoice choice =
      choose_runs(node, 2, find_gpu(test::shipped_catalogue(), {.name = kModel}));
  Choice told{.devices = choice.devices, .files = {}};
  for (const KnownRun* run : choice.used) told.files.push_back(run->file);
  return told;
}

Json estimate(const std::vector<std::string>& texts, int ranks = 2, const std::string& gpu = "") {
  return estimate_document(
      {.known = known(texts),
       .catalogue = test::shipped_catalogue(),
       .gpu = gpu,
       .ranks = ranks,
       .operations = {
           {.tokens = 4096, .d_model = 4096, .d_ff = 8192, .layers = 1, .dtype = DataType::bf16}}});
}

bool has_note(const Json& document, const std::string& note) {
  for (const Json& each : document.at("notes")) {
    if (each == note) return true;
  }
  return false;
}

TEST(RunChoice, TimesOfOnePairAreNotGivenToAnother) {
  const Json document = estimate({kPairs, kFirstTwo});
  EXPECT_EQ(document["devices"], (std::vector<int>{0, 3}));
  EXPECT_TRUE(document["all_reduce"].is_null());
  const std::string note =
      "the times in t1 are not used: they are of devices 0, 1 (SYS), and the best joined are 0, 3 "
      "(NV12)";
  EXPECT_TRUE(has_note(document, note)) << document["notes"];
  EXPECT_TRUE(has_note(advice_document(document), note));
  // Their bandwidth is set beside the link that they went over.
  ASSERT_EQ(document["normal"].size(), 1U);
  EXPECT_EQ(document["normal"][0]["what"],
            "all-reduce of 67.11 MB over devices 0, 1, bus bandwidth");
  EXPECT_NEAR(document["normal"][0]["ceiling_bytes_per_s"].get<double>(), 31.5e9, 0.1e9);
}

TEST(RunChoice, AMeasuredPairThatIsJoinedAlikeIsTheOneToUse) {
  const Choice choice =
      choice_of({kPairs, log({{1, "0000:11:00"}, {2, "0000:12:00"}}, 10.0), kFirstTwo});
  EXPECT_EQ(choice.devices, (std::vector<int>{1, 2}));
  EXPECT_EQ(choice.files, std::vector<std::string>{"t1"});
}

// Of pairs that PCIe joins, whose ceiling is the same, the nearest is the best.
TEST(RunChoice, OfOneCeilingTheNearestDevicesAreBest) {
  const std::string pcie =
      "\tGPU0\tGPU1\tGPU2\tGPU3\nGPU0\tX\tSYS\tSYS\tSYS\nGPU1\tSYS\tX\tSYS\tSYS\n"
      "GPU2\tSYS\tSYS\tX\tPIX\nGPU3\tSYS\tSYS\tPIX\tX\n";
  const Choice choice = choice_of({pcie, kFirstTwo});
  EXPECT_EQ(choice.devices, (std::vector<int>{2, 3}));
  EXPECT_TRUE(choice.files.empty());
}

// CUDA_VISIBLE_DEVICES=0,3: CUDA calls them 0 and 1, the bus does not.
TEST(RunChoice, DevicesAreToldByTheirAddressWhereTheNodeSaysIt) {
  std::string addresses = "==============NVSMI LOG==============\n";
  for (int i = 0; i < 4; ++i) {
    addresses += fmt::format(
        "GPU 00000000:1{}:00.0\n    Product Name                          : {}\n", i, kModel);
  }
  const Choice choice = choice_of({kPairs, addresses, log({{0, "0000:10:00"}, {1, "0000:13:00"}})});
  EXPECT_EQ(choice.devices, (std::vector<int>{0, 3}));
  EXPECT_EQ(choice.files, std::vector<std::string>{"t2"});
}

TEST(RunChoice, TimesBetweenHostsAreOfNoLinkOfANode) {
  const std::string two_hosts = log({{0, "0000:10:00", "node1"}, {1, "0000:11:00", "node2"}}, 10.0);
  const std::string topology = "\tGPU0\tGPU1\nGPU0\tX\tNV12\nGPU1\tNV12\tX\n";
  const Json document = estimate({topology, two_hosts}, 2, kModel);
  EXPECT_TRUE(document["all_reduce"].is_null());
  EXPECT_TRUE(document["normal"].empty());
  EXPECT_TRUE(has_note(document,
                       "the times in t1 are not used: its ranks are on several hosts, whose link "
                       "is the network between them"))
      << document["notes"];
  const KnownNode node = known({topology, two_hosts});
  EXPECT_FALSE(
      normality_of(node.runs[0], node.node, find_gpu(test::shipped_catalogue(), {.name = kModel})));
}

TEST(RunChoice, TimesOfTwoRanksOnOneGpuAreOfNoPair) {
  const Json document = estimate({log({{0, "0000:10:00"}, {0, "0000:10:00"}})});
  EXPECT_TRUE(document["all_reduce"].is_null());
  EXPECT_EQ(document["devices"], Json::array());  // one device is no pair
  EXPECT_TRUE(has_note(document, "the times in t0 are not used: two of its ranks are on one GPU"));
}

TEST(RunChoice, NotesOfWhatIsUsedAreSaid) {
  const Json document = estimate({log({{0, "0000:10:00"}, {1, "0000:11:00"}}, 1.0, "N/A")});
  EXPECT_FALSE(document["all_reduce"].is_null());
  EXPECT_TRUE(has_note(
      document, "t0: nobody checked its results: they may be wrong, and the times with them"))
      << document["notes"];
}

// 32 MiB at 20 GB/s are 1678 us, at 24 GB/s 1398 us; each a tenth wider.
TEST(RunChoice, RunsThatAgreeAreUsedTogetherInAnyOrder) {
  const std::string other = log({{0, "0000:10:00"}, {1, "0000:11:00"}}, 1.2);
  for (const auto& texts : {std::vector{kFirstTwo, other}, std::vector{other, kFirstTwo}}) {
    const Json document = estimate(texts);
    const Json time = document["points"][0]["parameters"]["collective_s"];
    EXPECT_NEAR(time["low"].get<double>(), 1398.1e-6 / 1.1, 1e-7);
    EXPECT_NEAR(time["high"].get<double>(), 1677.7e-6 * 1.1, 1e-7);
    EXPECT_EQ(document["all_reduce"]["rows"], 6);
    EXPECT_TRUE(has_note(document, "times of several runs differ by up to 20 % at one size"));
  }
}

TEST(RunChoice, RunsThatContradictEachOtherAreRefusedInAnyOrder) {
  const std::string fast = log({{0, "0000:10:00"}, {1, "0000:11:00"}}, 10.0);
  EXPECT_THROW(estimate({kFirstTwo, fast}), BadDocument);
  EXPECT_THROW(estimate({fast, kFirstTwo}), BadDocument);
  const std::string h100 =
      log({{0, "0000:10:00"}, {1, "0000:11:00"}}, 1.0, "0", "NVIDIA H100 80GB HBM3");
  EXPECT_THROW(estimate({kFirstTwo, h100}), BadDocument);
  EXPECT_THROW(estimate({h100, kFirstTwo}), BadDocument);
}

TEST(RunChoice, MoreRanksThanTheNodeHasDevicesAreRefused) {
  try {
    estimate({kPairs}, 8, kModel);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "ranks");
    EXPECT_STREQ(error.what(), "8 ranks, and the node has 4 devices; expected a device for each");
  }
  // A log names the devices that it was on, which may not be all.
  EXPECT_NO_THROW(estimate({kFirstTwo}, 4));
}

}  // namespace
}  // namespace splitbench

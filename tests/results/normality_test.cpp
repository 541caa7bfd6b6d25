// "Is my number normal?": bandwidths that others published beside the ceilings of their links. The
// figures of a test are NCCL's of two ranks in ai-dynamo/aiconfigurator at 095f58a, but where it
// says otherwise; ceilings are those of the vendors' documents in protocols/catalogue/.
#include "results/normality.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/shipped_catalogue.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

std::string matrix(const std::string& kind) {
  return "\tGPU0\tGPU1\nGPU0\t X \t" + kind + "\nGPU1\t" + kind + "\t X \n";
}

// One time of an all-reduce of two ranks.
std::string table(long long bytes, double us) {
  return "ranks\tmessage_bytes\tlatency_us\n2\t" + std::to_string(bytes) + "\t" +
         std::to_string(us) + "\n";
}

struct Told {
  KnownNode known;
  Answer<GpuModel> gpu;
};

Told told(const std::string& gpu, const std::vector<std::string>& texts) {
  std::vector<TextSource> sources;
  for (const std::string& text : texts) sources.emplace_back(text, "t");
  KnownNode known = read_known_node(sources);
  Answer<GpuModel> model = gpu_of(known, test::shipped_catalogue(), gpu);
  return {std::move(known), std::move(model)};
}

Answer<Normality> of_run(const std::string& gpu, const std::vector<std::string>& texts) {
  const Told node = told(gpu, texts);
  return normality_of(node.known.runs.at(0), node.known.node, node.gpu);
}

// 512 MiB in 1686 us are 318.4 GB/s: 71 % of 18 links of 25 GB/s.
TEST(Normality, SetsALargeAllReduceBesideItsLink) {
  const auto normal = of_run("H100 SXM", {matrix("NV18"), table(536870912, 1686)});
  ASSERT_TRUE(normal) << normal.reason();
  EXPECT_EQ(normal->what, "all-reduce of 536.9 MB, bus bandwidth");
  EXPECT_NEAR(normal->measured.value(), 318.43e9, 0.01e9);
  EXPECT_DOUBLE_EQ(normal->ceiling.value(), 450e9);
  EXPECT_EQ(normal->ceiling_from, "NVIDIA H100 Tensor Core GPU Architecture, whitepaper, 2022");
  EXPECT_NEAR(normal->share, 0.7076, 1e-4);
  EXPECT_EQ(normal->causes, "");
}

// The same in three times the time: 24 %.
TEST(Normality, SaysTheUsualCausesOfLess) {
  const auto normal = of_run("H100 SXM", {matrix("NV18"), table(536870912, 5058)});
  ASSERT_TRUE(normal) << normal.reason();
  EXPECT_NE(normal->causes.find("nvidia-smi nvlink -s"), std::string::npos) << normal->causes;
}

// 2 MiB on two H100 take 27.9 us, 75 GB/s: 17 %, and no less than usual at this size. Below 1 MiB
// the link's part of the time is less than what an all-reduce of nothing takes.
TEST(Normality, JudgesASmallMessageBySmallOnes) {
  const auto normal = of_run("H100 SXM", {matrix("NV18"), table(2097152, 27.9)});
  ASSERT_TRUE(normal) << normal.reason();
  EXPECT_NEAR(normal->share, 0.167, 1e-3);
  EXPECT_EQ(normal->causes, "");
  EXPECT_LT(normal->usual.low, 0.167);
  const auto small = of_run("H100 SXM", {matrix("NV18"), table(131072, 7.7)});
  EXPECT_EQ(small.reason(),
            "the largest all-reduce, 131.1 kB, is too small to say anything of its link");
}

// Two RTX 4090, which have no link of their own: 64 MiB in 18091 us are 3.71 GB/s, 12 % of PCIe 4
// x16 (kalavai-client at 52af06b, scripts/README.md). Nobody said how they are joined.
TEST(Normality, KnowsTheLinkOfCardsThatHavePcieAlone) {
  const std::string log =
      "# nThread 1 nGpus 2 minBytes 8 maxBytes 16\n"
      "#  Rank  0 Pid 1 on h device  0 [0000:1a:00] NVIDIA GeForce RTX 4090\n"
      "#  Rank  1 Pid 1 on h device  1 [0000:b2:00] NVIDIA GeForce RTX 4090\n"
      "#  size  count  type  redop  root  time  algbw  busbw  #wrong  time  algbw  busbw  #wrong\n"
      "67108864 16777216 float sum -1 18091 3.71 3.71 0 18091 3.71 3.71 0\n";
  const auto normal = of_run("", {log});
  ASSERT_TRUE(normal) << normal.reason();
  EXPECT_NEAR(normal->ceiling.value(), 31.508e9, 1e6);
  EXPECT_NEAR(normal->share, 0.1177, 1e-3);
  // The same log of cards that may have links.
  std::string linked = log;
  for (std::size_t at = 0; (at = linked.find("NVIDIA GeForce RTX 4090")) != std::string::npos;) {
    linked.replace(at, 23, "NVIDIA A40");
  }
  EXPECT_EQ(of_run("", {linked}).reason(), "no text says how the devices are joined");
}

// NCCL's log of two RTX 2080 Ti: through the memory of the host 4.0 of 15.75 GB/s are usual,
// between peers they are not.
TEST(Normality, BelievesWhatNcclLoggedOfItsWay) {
  const auto log = [](const std::string& via) {
    return "# nThread 1 nGpus 2 minBytes 8 maxBytes 16\n"
           "#  Rank  0 Pid 1 on h device  0 [0000:1a:00] NVIDIA GeForce RTX 2080 Ti\n"
           "#  Rank  1 Pid 1 on h device  1 [0000:b2:00] NVIDIA GeForce RTX 2080 Ti\n"
           "h:1:2 [0] NCCL INFO Channel 00 : 0[1a000] -> 1[b2000] via " +
           via +
           "\n#  size  count  type  redop  time  algbw  busbw  error  time  algbw  busbw  error\n"
           "1073741824 268435456 float sum 268588 4.00 4.00 0 268588 4.00 4.00 0\n";
  };
  const auto host = of_run("", {log("SHM/direct/direct"), matrix("PHB")});
  ASSERT_TRUE(host) << host.reason();
  EXPECT_NEAR(host->share, 0.2537, 1e-3);
  EXPECT_DOUBLE_EQ(host->usual.high, 0.45);
  EXPECT_EQ(host->causes, "");
  const auto peers = of_run("", {log("P2P/direct pointer"), matrix("PHB")});
  ASSERT_TRUE(peers) << peers.reason();
  EXPECT_DOUBLE_EQ(peers->usual.low, 0.55);
  EXPECT_NE(peers->causes.find("ACS"), std::string::npos);
}

// 128 MiB in 39.4 us are 3407 GB/s, 757 % of 450; with NVLS 480 of 450 are usual. A ring over eight
// MI300X sends over seven links of 64 GB/s, and one joins each pair: 310 GB/s are no wonder.
TEST(Normality, MoreThanALinkCanCarryIsNotNormal) {
  const auto high = of_run("H100 SXM", {matrix("NV18"), table(134217728, 39.4)});
  ASSERT_TRUE(high) << high.reason();
  EXPECT_NEAR(high->share, 7.57, 0.01);
  EXPECT_EQ(high->causes, "more than the link can carry: the text or the unit is wrong");
  // However small the message: 128 KiB in 0.1 us.
  EXPECT_EQ(of_run("H100 SXM", {matrix("NV18"), table(131072, 0.1)})->causes, high->causes);
  EXPECT_EQ(of_run("H100 SXM", {matrix("NV18"), table(134217728, 134217728 / 480e3)})->causes, "");
  std::string eight(1, '\t');
  for (int gpu = 0; gpu < 8; ++gpu) eight += "GPU" + std::to_string(gpu) + "\t";
  for (int gpu = 0; gpu < 8; ++gpu) {
    eight += "\nGPU" + std::to_string(gpu);
    for (int peer = 0; peer < 8; ++peer) eight += gpu == peer ? "\t X " : "\tNV1";
  }
  // busbw = 2 (8-1)/8 of 512 MiB over 3031 us: 310 GB/s; over 303.1 us ten times as much.
  const auto ring = [&](const char* us) {
    return of_run("MI300X", {eight + "\n", std::string("ranks\tmessage_bytes\tlatency_us\n8\t") +
                                               "536870912\t" + us + "\n"});
  };
  EXPECT_NEAR(ring("3031")->measured.value(), 310e9, 0.1e9);
  EXPECT_EQ(ring("3031")->causes, "");
  EXPECT_EQ(ring("303.1")->causes, high->causes);
}

// H100 SXM has 18 links, RTX 4090 none (protocols/catalogue).
TEST(Normality, ACardHasNoMoreLinksThanItsCatalogueSays) {
  const std::string run = table(536870912, 1686);
  EXPECT_EQ(of_run("H100 SXM", {matrix("NV99"), run}).reason(),
            "NV99: NVIDIA H100 80GB HBM3 has 18 links; the text is wrong, or of another card");
  EXPECT_EQ(
      of_run("RTX 4090", {matrix("NV18"), run}).reason(),
      "NV18: NVIDIA GeForce RTX 4090 has no such link; the text is wrong, or of another card");
}

TEST(Normality, InventsNothing) {
  const std::string run = table(536870912, 1686);
  EXPECT_EQ(of_run("H100 SXM", {run}).reason(), "no text names two devices of one node");
  EXPECT_EQ(of_run("", {matrix("NV18"), run}).reason(), "the rate of one link is not known");
  EXPECT_EQ(of_run("H100 SXM", {matrix("C2C"), run}).reason(), "what C2C can carry is not known");
  EXPECT_EQ(of_run("", {matrix("SYS"), run}).reason(),
            "generation and width of PCIe are not known");
  const std::string three =
      "\tGPU0\tGPU1\tGPU2\nGPU0\tX\tNV4\tNV4\nGPU1\tNV4\tX\tNV4\nGPU2\tNV4\tNV4\tX\n";
  EXPECT_EQ(of_run("NVIDIA RTX A6000", {three, run}).reason(),
            "the all-reduce is of 2 ranks, and the texts name 3 devices");
}

// A generation that is not out yet, and two ranks on one device: no ceiling, and no fault.
TEST(Normality, AnUnknownRateIsNoCeiling) {
  const auto topology = [](const char* pcie, const char* kind, const char* path) {
    return std::string(R"({"schema": "splitbench.topology/1", "devices": [{"index": 0, "pcie": )") +
           pcie + R"(}, {"index": 1, "pcie": )" + pcie +
           R"(}], "links": [{"a": 0, "b": 1, "kind": ")" + kind + R"(", "path": ")" + path +
           R"("}], "copies": []})";
  };
  const std::string run = table(536870912, 1686);
  EXPECT_EQ(
      of_run("", {topology(R"({"most_generation": 7, "most_width": 16})", "PHB", "unknown"), run})
          .reason(),
      "PCIe generation 7 x16 has no rate that is known here");
  EXPECT_EQ(of_run("H100 SXM", {topology("null", "same device", "same-device"), run}).reason(),
            "both are one device: there is no link");
}

// p2pBandwidthLatencyTest of two RTX 6000 Ada, peers granted: 26.3 of 31.5 GB/s are 83 %.
TEST(Normality, SetsCopiesBesideTheirLink) {
  const Told node = told(
      "", {"Device: 0, NVIDIA RTX 6000 Ada Generation, pciBusID: 1, pciDeviceID: 0, pciDomainID:0\n"
           "Device: 1, NVIDIA RTX 6000 Ada Generation, pciBusID: 2, pciDeviceID: 0, pciDomainID:0\n"
           "Device=0 CAN Access Peer Device=1\nDevice=1 CAN Access Peer Device=0\n"
           "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n"
           "   D\\D     0      1\n     0 800.1 26.31\n     1 26.30 801.2\n"});
  const auto list = normality_of(node.known, node.gpu);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].what, "copy 0-1, one way");
  EXPECT_NEAR(list[0].share, 0.8347, 1e-4);
  EXPECT_DOUBLE_EQ(list[0].usual.low, 0.70);  // of PCIe with peer access
  EXPECT_EQ(list[0].causes, "");
}

Json result(const char* backend, const char* times_are) {
  const Json gpu = {{"name", "NVIDIA H100 80GB HBM3"}};
  return {{"backend", backend},
          {"times_are", times_are},
          {"node",
           {{"devices", {gpu, gpu}},
            {"links", {{{"a", 0}, {"b", 1}, {"kind", "NV18"}, {"path", "gpu-link"}}}}}},
          {"points",
           {{{"ranks", 2},
             {"message_bytes", 4194304},
             {"parameters", {{"collective_s", {{"value", 33.1e-6}}}}},
             {"collective_sweep", {{{"message_bytes", 8388608}, {"typical_s", 47.3e-6}}}}},
            {{"ranks", 2},
             {"message_bytes", 8192},
             {"parameters", {{"collective_s", nullptr}}},
             {"collective_sweep", Json::array()}}}}};
}

// The largest that was timed: 8 MiB in 47.3 us are 177.3 GB/s, 39 %.
TEST(Normality, OfAResultIsThatOfItsLargestAllReduce) {
  const auto list = normality_of_result(result("cuda", "measured"), test::shipped_catalogue());
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].what, "all-reduce of 8.389 MB, bus bandwidth");
  EXPECT_NEAR(list[0].share, 0.3941, 1e-4);
  EXPECT_EQ(list[0].from, "this run");
}

// CPU cores and stand-ins have no ceiling in any catalogue, whatever they are called.
TEST(Normality, OfOtherDevicesThereIsNone) {
  EXPECT_TRUE(normality_of_result(result("host", "measured"), test::shipped_catalogue()).empty());
  EXPECT_TRUE(normality_of_result(result("cuda", "stand-in"), test::shipped_catalogue()).empty());
  EXPECT_TRUE(
      normality_of_result(result("simulated", "virtual"), test::shipped_catalogue()).empty());
}

}  // namespace
}  // namespace splitbench

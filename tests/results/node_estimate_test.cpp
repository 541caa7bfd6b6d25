// Estimates of nodes that nobody here measured, against what others published of them.
#include "results/node_estimate.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "model/invalid_input.h"
#include "protocols/document.h"
#include "tests/support/schema.h"
#include "tests/support/shipped_catalogue.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

// A table of an all-reduce over two ranks: bytes, and microseconds.
using Table = std::vector<std::pair<double, double>>;

TextSource text_of(const Table& table) {
  std::string text = "ranks\tmessage_bytes\tlatency_us\n";
  for (const auto& [bytes, us] : table) {
    text +=
        "2\t" + std::to_string(static_cast<long long>(bytes)) + "\t" + std::to_string(us) + "\n";
  }
  return {std::move(text), "table.tsv"};
}

EstimateRequest request(const std::string& gpu, const std::vector<TextSource>& sources,
                        std::vector<Operation> operations) {
  return {.known = read_known_node(sources),
          .catalogue = test::shipped_catalogue(),
          .gpu = gpu,
          .ranks = 2,
          .operations = std::move(operations)};
}

Operation mlp(std::int64_t tokens) {
  return {.tokens = tokens, .d_model = 4096, .d_ff = 8192, .layers = 1, .dtype = DataType::bf16};
}

struct Published {
  std::int64_t tokens;
  double low;  // one figure, or the two ends that were published of several
  double high;
};

// The serial part is not in the published figures, so none is estimated.
void expect_published(const std::string& gpu, const Table& table,
                      const std::vector<Published>& speedups) {
  for (const Published& published : speedups) {
    EstimateRequest asked = request(gpu, {text_of(table)}, {mlp(published.tokens)});
    asked.serial = Seconds(0.0);
    const Json speedup = estimate_document(asked)["points"][0]["speedup"];
    EXPECT_LE(speedup["low"].get<double>(), published.low) << gpu << " " << published.tokens;
    EXPECT_GE(speedup["high"].get<double>(), published.high) << gpu << " " << published.tokens;
  }
}

// All tables: NCCL, two ranks, half, ai-dynamo/aiconfigurator at 095f58a. The speedups of the plain
// MLP, d_model 4096, d_ff 8192, are those its GEMM tables and these give (docs/estimates.md). H100
// is one of the two GPUs that the ranges were taken from; the others were held out.
TEST(NodeEstimate, HoldsThePublishedSpeedupsOfH100) {
  expect_published("H100 SXM",
                   {{512, 6.2},
                    {32768, 7.3},
                    {131072, 7.7},
                    {524288, 10.7},
                    {1048576, 14.7},
                    {2097152, 27.9},
                    {4194304, 33.1},
                    {8388608, 47.3},
                    {67108864, 254.6},
                    {536870912, 1686}},
                   {{1, 1.47, 1.47},
                    {64, 1.36, 1.36},
                    {128, 1.09, 1.09},
                    {256, 0.93, 0.93},
                    {512, 1.05, 1.05},
                    {1024, 1.21, 1.21},
                    {4096, 1.40, 1.40},
                    {16384, 1.62, 1.62}});
}

TEST(NodeEstimate, HoldsThePublishedSpeedupsOfH200) {
  expect_published("H200 SXM",
                   {{512, 6.0},
                    {32768, 7.3},
                    {131072, 7.5},
                    {524288, 10.4},
                    {1048576, 14.3},
                    {2097152, 26.8},
                    {4194304, 32.4},
                    {8388608, 45.6},
                    {67108864, 248.3},
                    {536870912, 1704}},
                   {{64, 1.32, 1.32}, {256, 0.92, 0.92}, {512, 1.11, 1.11}});
}

// "Loses .77-.95 for all m <= 512".
TEST(NodeEstimate, HoldsThePublishedSpeedupsOfB200) {
  expect_published("B200 SXM",
                   {{512, 10.3},
                    {32768, 10.8},
                    {131072, 11.4},
                    {524288, 12.3},
                    {1048576, 14.2},
                    {2097152, 18.9},
                    {4194304, 36.8},
                    {8388608, 41.5},
                    {67108864, 146.7},
                    {536870912, 1005}},
                   {{128, 0.77, 0.95}, {256, 0.77, 0.95}, {512, 0.77, 0.95}});
}

// "Wins 1.8 at m = 1-16, loses .79-.92 from 256 up".
TEST(NodeEstimate, HoldsThePublishedSpeedupsOfL40S) {
  const Table table{{512, 7.7},       {32768, 9.1},      {131072, 18.8},   {524288, 50},
                    {1048576, 74.8},  {2097152, 120.7},  {4194304, 221.5}, {8388608, 428.9},
                    {67108864, 3359}, {536870912, 26700}};
  expect_published("NVIDIA L40S", table,
                   {{1, 1.8, 1.8}, {16, 1.8, 1.8}, {256, 0.79, 0.92}, {1024, 0.79, 0.92}});
}

const char* const kTopology =
    "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV18\t0-63\nGPU1\tNV18\t X \t0-63\n";

Json estimate_of(const EstimateRequest& asked) {
  return estimate_document(asked);
}

// 16 tokens of 4096 in bf16 are 131072 bytes: over 18 links of 25 GB/s between 2.4 us and
// 10.5 us + 131072 / (450 GB/s x 0.11).
TEST(NodeEstimate, WithoutTimesOfTheAllReduceTheLinkGivesBoundsAndSaysSo) {
  const Json document =
      estimate_of(request("H100 SXM", {TextSource(kTopology, "topo.txt")}, {mlp(16)}));
  const Json collective = document["points"][0]["parameters"]["collective_s"];
  EXPECT_NEAR(collective["low"].get<double>(), 2.4e-6 + 131072 / (450e9 * 0.75), 1e-9);
  EXPECT_NEAR(collective["high"].get<double>(), 10.5e-6 + 131072 / (450e9 * 0.11), 1e-9);
  EXPECT_EQ(collective["from"].get<std::string>().substr(0, 11), "bounds only");
  EXPECT_EQ(document["link"]["ceiling_bytes_per_s"], 450e9);
  EXPECT_EQ(document["devices"], (std::vector<int>{0, 1}));
  EXPECT_TRUE(document["all_reduce"].is_null());
}

TEST(NodeEstimate, UnknownLinkIsWiderThanAnyKnownOne) {
  const Json unknown = estimate_of(request("H100 SXM", {}, {mlp(16)}));
  const Json known =
      estimate_of(request("H100 SXM", {TextSource(kTopology, "topo.txt")}, {mlp(16)}));
  const Json wide = unknown["points"][0]["parameters"]["collective_s"];
  const Json narrow = known["points"][0]["parameters"]["collective_s"];
  EXPECT_LE(wide["low"].get<double>(), narrow["low"].get<double>());
  EXPECT_GT(wide["high"].get<double>(), narrow["high"].get<double>());
}

// Outside of a table nothing is read from it.
TEST(NodeEstimate, TimesAreNotExtrapolated) {
  const Json document = estimate_of(
      request("H100 SXM", {text_of({{512, 6.2}, {1024, 6.3}, {2048, 6.4}})}, {mlp(16)}));
  const auto from = document["points"][0]["parameters"]["collective_s"]["from"].get<std::string>();
  EXPECT_NE(from.find("131.1 kB is outside of the times in table.tsv"), std::string::npos) << from;
}

TEST(NodeEstimate, TimesOfOtherRanksAreNotUsed) {
  EstimateRequest asked = request("H100 SXM", {text_of({{512, 6.2}, {524288, 10.7}})}, {mlp(16)});
  asked.ranks = 4;
  const Json document = estimate_of(asked);
  EXPECT_TRUE(document["all_reduce"].is_null());
  EXPECT_EQ(document["notes"][0], "the times of the all-reduce are of 2 ranks, not 4: not used");
}

// What is given has no range: with all of it given, only the all-reduce is left to measure.
TEST(NodeEstimate, WhatIsGivenTakesThePlaceOfItsRange) {
  EstimateRequest asked = request("H100 SXM", {}, {mlp(16)});
  asked.serial = Seconds(0.0);
  asked.compute = Seconds(60e-6);
  asked.efficiency = 0.9;
  const Json point = estimate_of(asked)["points"][0];
  EXPECT_EQ(point["parameters"]["compute_s"]["low"], 60e-6);
  EXPECT_EQ(point["parameters"]["compute_s"]["from"], "given");
  EXPECT_EQ(point["narrowings"][0]["parameter"], "collective");
  EXPECT_NEAR(point["narrowings"][0]["narrower"].get<double>(), 1.0, 1e-9);
}

// 80 layers of 8192 x 43008, two matrices of bf16: 112.7 GB, more than the 80 GB of one device;
// half of it has room.
TEST(NodeEstimate, WhatDoesNotFitOnOneDeviceHasNoSpeedup) {
  const Operation large{
      .tokens = 1, .d_model = 8192, .d_ff = 43008, .layers = 80, .dtype = DataType::bf16};
  const Json point = estimate_of(request("H100 SXM", {}, {large}))["points"][0];
  EXPECT_TRUE(point["t1_s"].is_null());
  EXPECT_TRUE(point["speedup"].is_null());
  EXPECT_EQ(point["reasons"]["t1_s"], "weights of 112.7 GB do not fit into 80 GB");
  EXPECT_EQ(point["split_verdict"], "fits-only-split");
  EXPECT_FALSE(point["tn_s"].is_null());
}

TEST(NodeEstimate, UnknownGpuIsRefusedAndNotReplacedByANearOne) {
  try {
    estimate_of(request("", {TextSource(kTopology, "topo.txt")}, {mlp(1)}));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()),
              "no text says what the devices are called; expected --gpu NAME with a name of the "
              "catalogue");
  }
  EXPECT_THROW(estimate_of(request("NVIDIA RTX 6000 Ada Generation", {}, {mlp(1)})), InvalidInput);
}

TEST(NodeEstimate, DocumentIsAsItsSchemaSays) {
  SPLITBENCH_NEEDS_SCHEMAS();
  for (const Operation& operation : {mlp(16), Operation{1, 8192, 43008, 80, DataType::bf16},
                                     Operation{1, 8192, 43008, 800, DataType::bf16}}) {
    const Json document = estimate_of(request("H100 SXM", {text_of({{512, 6.2}})}, {operation}));
    EXPECT_EQ(test::schema_errors(document, "results/schema/estimate.schema.json"), "");
  }
}

// nccl-tests' own list of devices names them.
TEST(NodeEstimate, ARunWithWrongResultsIsRefused) {
  const std::string log =
      "# nThread 1 nGpus 2 minBytes 8 maxBytes 16 step: 2(factor) warmup iters: 5 iters: 20 agg "
      "iters: 1 validation: 1 graph: 0\n"
      "#\n# Using devices\n"
      "#  Rank  0 Group  0 Pid 1 on h device  0 [0000:01:00] NVIDIA L40S\n"
      "#  Rank  1 Group  0 Pid 1 on h device  1 [0000:02:00] NVIDIA L40S\n#\n"
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     "
      "time   algbw   busbw #wrong\n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            "
      "(us)  (GB/s)  (GB/s)\n"
      "  1048576        262144     float     sum      -1    74.80   14.02   14.02      0    74.80  "
      " "
      "14.02   14.02      0\n"
      "  2097152        524288     float     sum      -1   120.70   17.37   17.37      ";
  const auto with_wrong = [&](const char* wrong) {
    return TextSource(log + wrong + "   120.70   17.37   17.37      0\n", "nccl.log");
  };
  EXPECT_THROW(read_known_node({with_wrong("7")}), BadDocument);
  const KnownNode good = read_known_node({with_wrong("0")});
  EXPECT_EQ(good.node.devices.at(1).name, "NVIDIA L40S");
  EXPECT_EQ(good.runs.front().run.ranks, 2);
}

}  // namespace
}  // namespace splitbench

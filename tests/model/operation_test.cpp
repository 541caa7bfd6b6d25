#include "model/operation.h"

#include <gtest/gtest.h>

#include <string>

#include "model/exact_example.h"
#include "model/invalid_input.h"
#include "model/wire.h"

namespace splitbench {
namespace {

// The MLP of GPT-2 small, one layer: 768 -> 3072 -> 768 (Radford et al. 2019, table 2: d_model
// 768).
constexpr Operation kGpt2Small{.tokens = 128, .d_model = 768, .d_ff = 3072, .layers = 4};

TEST(Operation, CountsByHand) {
  // 2 products, 2 operations a multiply-add: 4 * 128 * 768 * 3072 * 4 layers
  EXPECT_EQ(matrix_flops(kGpt2Small).value(), 4831838208.0);
  // 2 matrices * 768 * 3072 * 4 B * 4 layers
  EXPECT_EQ(weight_bytes(kGpt2Small).value(), 75497472.0);
  // 128 * 768 * 4 B
  EXPECT_EQ(message_bytes(kGpt2Small).value(), 393216.0);
  EXPECT_EQ(collectives(kGpt2Small, 2), 4);
  EXPECT_EQ(collectives(kGpt2Small, 1), 0);
}

TEST(Operation, ElementSizeFollowsTheStoredType) {
  EXPECT_EQ(element_size(DataType::fp32).value(), 4);
  EXPECT_EQ(element_size(DataType::tf32).value(), 4);
  EXPECT_EQ(element_size(DataType::fp16).value(), 2);
  EXPECT_EQ(element_size(DataType::bf16).value(), 2);
}

TEST(Operation, NamesOfDataTypesGoBothWays) {
  for (const char* text : {"fp32", "tf32", "fp16", "bf16"}) EXPECT_EQ(name(data_type(text)), text);
  EXPECT_THROW(data_type("float"), InvalidInput);
}

std::string refused_field(Operation operation, int ranks) {
  try {
    check(operation, ranks);
  } catch (const InvalidInput& error) {
    return error.field();
  }
  return "nothing";
}

TEST(Operation, RefusesWhatCannotBeSplitOrHeld) {
  EXPECT_EQ(refused_field(kGpt2Small, 2), "nothing");
  EXPECT_EQ(refused_field(kGpt2Small, 0), "ranks");
  EXPECT_EQ(refused_field({.tokens = 1, .d_model = 2, .d_ff = 3}, 2), "d_ff");
  EXPECT_EQ(refused_field({.tokens = 0, .d_model = 2, .d_ff = 4}, 2), "tokens");
  EXPECT_EQ(refused_field({.tokens = 1, .d_model = -2, .d_ff = 4}, 2), "d_model");
  EXPECT_EQ(refused_field({.tokens = 1, .d_model = 2, .d_ff = 4, .layers = 0}, 2), "layers");
  EXPECT_EQ(refused_field({.tokens = 1, .d_model = 1LL << 40, .d_ff = 1LL << 40}, 2), "d_model");
}

TEST(ExactExample, PartialOutputsAndSumAreTheDocumentedOnes) {
  const ExactExample e;
  using Row = std::vector<std::int64_t>;
  EXPECT_EQ(mlp(e.x, column_shard(e.a, 0, 2), row_shard(e.b, 0, 2)).values, (Row{1, 1}));
  EXPECT_EQ(mlp(e.x, column_shard(e.a, 2, 2), row_shard(e.b, 2, 2)).values, (Row{-4, 8}));
  EXPECT_EQ(mlp(e.x, e.a, e.b).values, (Row{-3, 9}));
}

TEST(ExactExample, ReluAfterTheSumWouldBeAnotherOperation) {
  const Matrix<int> positive{1, 1, {2}};
  const Matrix<int> negative{1, 1, {-3}};
  EXPECT_EQ(add(relu(positive), relu(negative)).values, std::vector<int>{2});
  EXPECT_EQ(relu(add(positive, negative)).values, std::vector<int>{0});
}

TEST(WireBytes, RingOneShotAndTreeByHand) {
  const Bytes m(1000);
  EXPECT_EQ(wire_bytes(m, 2).value(), 1000);  // 2 * 1/2
  EXPECT_EQ(wire_bytes(m, 4).value(), 1500);  // 2 * 3/4
  EXPECT_EQ(wire_bytes(m, 8).value(), 1750);
  EXPECT_EQ(wire_bytes(m, 4, AllReduceAlgorithm::one_shot).value(), 3000);
  EXPECT_EQ(wire_bytes(m, 2, AllReduceAlgorithm::tree).value(), 2000);
  EXPECT_EQ(wire_bytes(m, 5, AllReduceAlgorithm::tree).value(), 6000);  // 3 levels, up and down
  EXPECT_EQ(wire_bytes(m, 8, AllReduceAlgorithm::tree).value(), 6000);
  for (const auto algorithm :
       {AllReduceAlgorithm::ring, AllReduceAlgorithm::one_shot, AllReduceAlgorithm::tree}) {
    EXPECT_EQ(wire_bytes(m, 1, algorithm).value(), 0) << name(algorithm);
    EXPECT_THROW(wire_bytes(m, 0, algorithm), InvalidInput);
  }
}

TEST(BusBandwidth, FactorsAreThoseOfNcclTests) {
  // nccl-tests doc/PERFORMANCE.md: all-reduce 2(n-1)/n, the gathers and all-to-all (n-1)/n, else 1.
  EXPECT_DOUBLE_EQ(bus_bandwidth_factor(8, Collective::all_reduce), 1.75);
  EXPECT_DOUBLE_EQ(bus_bandwidth_factor(8, Collective::all_gather), 0.875);
  EXPECT_DOUBLE_EQ(bus_bandwidth_factor(8, Collective::reduce_scatter), 0.875);
  EXPECT_DOUBLE_EQ(bus_bandwidth_factor(8, Collective::all_to_all), 0.875);
  EXPECT_DOUBLE_EQ(bus_bandwidth_factor(8, Collective::broadcast), 1);
  EXPECT_DOUBLE_EQ(bus_bandwidth_factor(8, Collective::reduce), 1);
  EXPECT_DOUBLE_EQ(algorithm_bandwidth(Bytes(1e9), Seconds(0.5)).value(), 2e9);
  EXPECT_DOUBLE_EQ(bus_bandwidth(Bytes(1e9), Seconds(0.5), 4).value(), 3e9);
}

TEST(Names, OfAlgorithmsAndCollectives) {
  EXPECT_EQ(name(AllReduceAlgorithm::ring), "ring");
  EXPECT_EQ(name(AllReduceAlgorithm::one_shot), "one-shot");
  EXPECT_EQ(name(AllReduceAlgorithm::tree), "tree");
  EXPECT_EQ(name(Collective::all_reduce), "all_reduce");
  EXPECT_EQ(name(Collective::all_gather), "all_gather");
  EXPECT_EQ(name(Collective::reduce_scatter), "reduce_scatter");
  EXPECT_EQ(name(Collective::all_to_all), "alltoall");
  EXPECT_EQ(name(Collective::broadcast), "broadcast");
  EXPECT_EQ(name(Collective::reduce), "reduce");
}

}  // namespace
}  // namespace splitbench

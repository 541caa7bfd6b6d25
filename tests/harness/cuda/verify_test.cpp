// The checks of the cuda backend on stand-in devices, one process per rank: they pass for every
// type on shapes that fit nothing, and say what is wrong where something is.
#include "harness/backends/cuda/verify.h"

#include <gtest/gtest.h>

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "harness/backends/cuda/exact_example.h"
#include "harness/backends/cuda/runtime.h"
#include "tests/standin/test/scenario_run.h"

namespace splitbench::cuda {
namespace {

constexpr std::uint64_t kSeed = 5;

// One rank with everything that is verified, as a rig has it.
class Rank {
 public:
  Rank(const Operation& op, int rank, SharedRegion& region, bool whole_fits)
      : op_(op),
        rank_(rank),
        region_(&region),
        barrier_(region, rank, Seconds(20), true),
        stream_((use_device(rank), make_stream())),
        communicator_(barrier_.broadcast(rank == 0 ? Communicator::make_id() : ""), rank,
                      region.ranks()),
        hidden_(op.dtype, op.tokens, op.d_ff) {
    const std::int64_t width = op.d_ff / region.ranks();
    for (std::int64_t layer = 0; layer < op.layers; ++layer) {
      weights_.shard.push_back(
          make_weights(op, kSeed, layer, rank * width, width, Values::random, stream_.get()));
      if (!whole_fits) continue;
      weights_.full.push_back(
          make_weights(op, kSeed, layer, 0, op.d_ff, Values::random, stream_.get()));
    }
    shard_.emplace(products(width));
    if (whole_fits) full_.emplace(products(op.d_ff));
  }

  Correctness run() {
    const Workplace at = workplace();
    return verify(context(at));
  }
  bool run_exact_example() {
    const Workplace at = workplace();
    return exact_example(context(at));
  }

  // Of the split.
  void leave_out_relu() {
    Product plain = shard_->up.product();
    plain.relu = false;
    Matmul down = Matmul::first_proposal(library_, shard_->down.product());
    shard_.emplace(Mlp{.up = Matmul::first_proposal(library_, plain), .down = std::move(down)});
  }

  Weights& weights() { return weights_; }
  cudaStream_t stream() const { return stream_.get(); }

 private:
  Mlp products(std::int64_t width) {
    return {.up = Matmul::first_proposal(library_, up_product(op_, width)),
            .down = Matmul::first_proposal(library_, down_product(op_, width))};
  }

  Workplace workplace() const {
    return {.operation = op_,
            .weights = &weights_,
            .full = full_ ? &*full_ : nullptr,
            .shard = &*shard_,
            .communicator = &communicator_,
            .hidden = hidden_.data()};
  }

  VerifyContext context(const Workplace& at) {
    return {.at = &at,
            .seed = kSeed,
            .library = &library_,
            .stream = stream_.get(),
            .region = region_,
            .barrier = &barrier_,
            .rank = rank_,
            .patience = Seconds(20)};
  }

  Operation op_;
  int rank_;
  SharedRegion* region_;
  RankBarrier barrier_;
  Stream stream_;
  Communicator communicator_;
  MatmulLibrary library_;
  DeviceMatrix hidden_;
  Weights weights_;
  std::optional<Mlp> shard_;
  std::optional<Mlp> full_;
};

// Runs `body` on every rank of a session.
void on_ranks(int ranks, const std::string& scenario,
              const std::function<void(int, SharedRegion&)>& body) {
  SharedRegion region = SharedRegion::create(ranks, 64);
  standin::run_ranks(scenario, ranks, [&](int rank) {
    try {
      body(rank, region);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "rank " << rank << ": " << error.what();
    }
  });
}

std::string devices(int count, const std::string& faults = "") {
  return R"({"devices": )" + std::to_string(count) + R"(, "faults": [)" + faults + "]}";
}

constexpr DataType kTypes[] = {DataType::fp32, DataType::tf32, DataType::fp16, DataType::bf16};

Operation shape(DataType dtype) {
  return {.tokens = 16, .d_model = 64, .d_ff = 256, .layers = 2, .dtype = dtype};
}

TEST(CudaVerify, PassesForEveryTypeWithAnInformativeBound) {
  for (const DataType dtype : kTypes) {
    for (const int ranks : {2, 4}) {
      on_ranks(ranks, devices(ranks), [&](int rank, SharedRegion& region) {
        const Correctness result = Rank(shape(dtype), rank, region, true).run();
        EXPECT_TRUE(result.passed()) << name(dtype) << ": " << result.failure;
        EXPECT_TRUE(result.bound_informative) << name(dtype);
        EXPECT_TRUE(result.ranks_agree) << name(dtype);
        EXPECT_GT(result.error_bound, 0.0);
        EXPECT_LE(result.max_error, result.error_bound);
      });
    }
  }
}

// Neither sizes nor rows fall on a multiple of anything.
TEST(CudaVerify, PassesOnOddShapes) {
  for (const DataType dtype : kTypes) {
    on_ranks(3, devices(3), [&](int rank, SharedRegion& region) {
      const Operation op{.tokens = 7, .d_model = 33, .d_ff = 3 * 29, .layers = 1, .dtype = dtype};
      const Correctness result = Rank(op, rank, region, true).run();
      EXPECT_TRUE(result.passed()) << name(dtype) << ": " << result.failure;
    });
  }
}

TEST(CudaVerify, PassesWhereTheWholeDoesNotFit) {
  on_ranks(2, devices(2), [&](int rank, SharedRegion& region) {
    const Correctness result = Rank(shape(DataType::bf16), rank, region, false).run();
    EXPECT_TRUE(result.passed()) << result.failure;
    EXPECT_TRUE(result.bound_informative);
  });
}

TEST(CudaVerify, LeavesTheWeightsAsTheyWere) {
  on_ranks(2, devices(2), [&](int rank, SharedRegion& region) {
    Rank twice(shape(DataType::fp16), rank, region, true);
    const Correctness first = twice.run();
    const Correctness second = twice.run();
    EXPECT_TRUE(second.passed()) << second.failure;
    EXPECT_EQ(second.max_error, first.max_error);
  });
}

TEST(CudaExactExample, PassesOnTwoAndMoreRanks) {
  for (const DataType dtype : kTypes) {
    for (const int ranks : {2, 3}) {
      on_ranks(ranks, devices(ranks), [&](int rank, SharedRegion& region) {
        Operation op = shape(dtype);
        op.d_ff = 252;
        EXPECT_TRUE(Rank(op, rank, region, true).run_exact_example()) << name(dtype) << rank;
      });
    }
  }
}

// What is found where the last rank's whole or shard holds layer 1's weights of another seed.
TEST(CudaVerify, NoticesAWholeWithOtherWeights) {
  on_ranks(2, devices(2), [&](int rank, SharedRegion& region) {
    const Operation op = shape(DataType::fp32);
    Rank spoiled(op, rank, region, true);
    if (rank == 1) {
      fill_weights(spoiled.weights().full[1], op, kSeed + 1, 1, 0, Values::random,
                   spoiled.stream());
    }
    const Correctness result = spoiled.run();
    EXPECT_TRUE(result.exact_example_passed && result.exact_integers_passed);
    EXPECT_FALSE(result.within_bound);
    EXPECT_NE(result.failure.find("random data: "), std::string::npos) << result.failure;
  });
}

TEST(CudaVerify, NoticesAShardThatIsNoneOfTheWhole) {
  on_ranks(2, devices(2), [&](int rank, SharedRegion& region) {
    const Operation op = shape(DataType::bf16);
    Rank spoiled(op, rank, region, true);
    if (rank == 1) {
      fill_weights(spoiled.weights().shard[1], op, kSeed, 1, 0, Values::random, spoiled.stream());
    }
    EXPECT_FALSE(spoiled.run().within_bound);
  });
}

// What a session over two devices is told when the all-reduces after the first `after` go wrong.
void expect_failure(const std::string& fault, int after, const std::string& what) {
  const std::string faults =
      R"({"fault": ")" + fault + R"(", "after": )" + std::to_string(after) + "}";
  on_ranks(2, devices(2, faults), [&](int rank, SharedRegion& region) {
    const Correctness result = Rank(shape(DataType::fp32), rank, region, true).run();
    EXPECT_FALSE(result.passed());
    EXPECT_NE(result.failure.find(what), std::string::npos) << fault << ": " << result.failure;
  });
}

// The example takes two all-reduces, the integers and each layer of random data two more: the split
// and its control.
TEST(CudaVerify, NamesTheCheckThatAWrongCollectiveFails) {
  expect_failure("wrong-result", 0, "the exact 2x4 example gave another result");
  expect_failure("wrong-result", 2, "integers that are exact in fp32 gave another result");
  expect_failure("wrong-result", 4, "values exceed their error bound");
}

TEST(CudaVerify, NamesTheCheckThatCorruptDataFail) {
  expect_failure("corrupt-peer", 0, "the exact 2x4 example gave another result");
}

TEST(CudaVerify, NoticesAMissingRelu) {
  on_ranks(2, devices(2), [&](int rank, SharedRegion& region) {
    Rank spoiled(shape(DataType::bf16), rank, region, true);
    spoiled.leave_out_relu();
    const Correctness result = spoiled.run();
    EXPECT_EQ(result.failure, "integers that are exact in bf16 gave another result");
    EXPECT_FALSE(result.within_bound);
  });
}

}  // namespace
}  // namespace splitbench::cuda

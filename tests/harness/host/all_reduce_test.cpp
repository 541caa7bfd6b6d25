// The all-reduce, ranks as threads.
#include "harness/backends/host/all_reduce.h"

#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <vector>

#include "harness/backends/host/verify.h"

namespace splitbench::host {
namespace {

void on_ranks(int ranks, std::size_t elements,
              const std::function<void(int, RankBarrier&, AllReduce&, SharedRegion&)>& work) {
  SharedRegion region = SharedRegion::create(ranks, AllReduce::shared_bytes(elements, ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      RankBarrier barrier(region, rank, Seconds(60), true);
      AllReduce all_reduce(region, barrier, rank, elements);
      work(rank, barrier, all_reduce, region);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(AllReduce, EveryRankEndsWithTheSum) {
  for (const int ranks : {1, 2, 3, 5}) {
    for (const std::size_t elements : {1U, 2U, 15U, 16U, 17U, 1000U}) {
      std::vector<std::vector<float>> results(static_cast<std::size_t>(ranks));
      on_ranks(ranks, elements, [&](int rank, RankBarrier&, AllReduce& all_reduce, SharedRegion&) {
        std::vector<float> y(elements);
        for (int turn = 1; turn <= 5; ++turn) {
          const std::span<float> partial = all_reduce.partial(elements);
          for (std::size_t i = 0; i < elements; ++i) {
            partial[i] = static_cast<float>(turn * (rank + 1)) + static_cast<float>(i);
          }
          all_reduce.sum(y);
        }
        results[static_cast<std::size_t>(rank)] = y;
      });
      for (const std::vector<float>& y : results) {
        for (std::size_t i = 0; i < elements; ++i) {
          // 5 (1 + ... + N) + N i
          const auto expected = 2.5F * static_cast<float>(ranks * (ranks + 1)) +
                                static_cast<float>(ranks) * static_cast<float>(i);
          ASSERT_EQ(y[i], expected) << ranks << " ranks, element " << i << " of " << elements;
        }
      }
    }
  }
}

TEST(AllReduce, RanksAgreeBitForBitWhereOrderMatters) {
  std::vector<std::vector<float>> results(3);
  on_ranks(3, 100, [&](int rank, RankBarrier&, AllReduce& all_reduce, SharedRegion&) {
    const float values[] = {1e8F, 1.0F, -1e8F};
    for (float& value : all_reduce.partial(100)) value = values[rank];
    std::vector<float> y(100);
    all_reduce.sum(y);
    results[static_cast<std::size_t>(rank)] = y;
  });
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(ExactExample, PassesOnTwoAndMoreRanks) {
  for (const int ranks : {2, 3, 4}) {
    on_ranks(ranks, 64, [](int rank, RankBarrier&, AllReduce& all_reduce, SharedRegion&) {
      EXPECT_TRUE(exact_example(rank, all_reduce));
    });
  }
}

// Verification at one shape, with weights that may have been spoiled on one rank.
Correctness verify_at(const Operation& op, int ranks,
                      const std::function<void(LayerWeights&)>& spoil) {
  Correctness result;
  const std::size_t elements = static_cast<std::size_t>(op.tokens * op.d_model) + 64;
  on_ranks(ranks, elements,
           [&](int rank, RankBarrier& barrier, AllReduce& all_reduce, SharedRegion& region) {
             Weights weights = rank_weights(op, 5, rank, ranks);
             if (rank == ranks - 1 && spoil) spoil(weights.shard.back());
             const Correctness mine = verify({.operation = op,
                                              .seed = 5,
                                              .rank = rank,
                                              .region = &region,
                                              .barrier = &barrier,
                                              .all_reduce = &all_reduce,
                                              .weights = &weights});
             if (rank == 0) result = mine;
           });
  return result;
}

constexpr Operation kShape{.tokens = 4, .d_model = 48, .d_ff = 96, .layers = 3};

TEST(Verify, PassesOnWhatIsRight) {
  for (const int ranks : {2, 3}) {
    const Correctness result = verify_at(kShape, ranks, {});
    EXPECT_TRUE(result.passed()) << result.failure;
    EXPECT_TRUE(result.ranks_agree);
    EXPECT_TRUE(result.bound_informative);
    EXPECT_GT(result.error_bound, 0.0);
    EXPECT_LE(result.max_error, result.error_bound);
  }
}

TEST(Verify, OneSpoiledWeightIsNoticed) {
  const Correctness result =
      verify_at(kShape, 2, [](LayerWeights& weights) { weights.b[7] += 0.05F; });
  EXPECT_FALSE(result.passed());
  EXPECT_FALSE(result.within_bound);
  EXPECT_NE(result.failure.find("exceed their error bound"), std::string::npos);
}

TEST(Verify, AShardOfZerosIsNoticed) {
  const Correctness result = verify_at(kShape, 2, [](LayerWeights& weights) {
    std::fill(weights.a.begin(), weights.a.end(), 0.0F);
  });
  EXPECT_FALSE(result.passed());
}

TEST(Verify, APoisonedWeightIsNoticed) {
  const Correctness result =
      verify_at(kShape, 2, [](LayerWeights& weights) { weights.b[0] = NAN; });
  EXPECT_FALSE(result.within_bound);
}

TEST(Verify, TheSameWeightsGiveTheSameBitsAgainAndSpoiledOnesDoNot) {
  const std::size_t elements = static_cast<std::size_t>(kShape.tokens * kShape.d_model) + 64;
  on_ranks(2, elements,
           [](int rank, RankBarrier& barrier, AllReduce& all_reduce, SharedRegion& region) {
             Weights weights = rank_weights(kShape, 5, rank, 2);
             const VerifyContext context{.operation = kShape,
                                         .seed = 5,
                                         .rank = rank,
                                         .region = &region,
                                         .barrier = &barrier,
                                         .all_reduce = &all_reduce,
                                         .weights = &weights};
             const std::string verified = verify(context).checksum;
             EXPECT_EQ(compute_again(context), verified);
             if (rank == 1) weights.shard[0].b[7] += 0.05F;
             EXPECT_NE(compute_again(context), verified) << "rank " << rank;
           });
}

}  // namespace
}  // namespace splitbench::host

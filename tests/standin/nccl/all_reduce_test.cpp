// All-reduce over rank processes: every type, odd sizes, any number of ranks, in place and not,
// captured and not. Expected sums are whole numbers that are exact in the type.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>
#include <vector>

#include "tests/standin/nccl/ranks.h"
#include "tests/standin/test/device_values.h"

namespace splitbench::standin {
namespace {

template <class T>
T number(int value) {
  if constexpr (std::is_same_v<T, __half>)
    return __float2half_rn(static_cast<float>(value));
  else if constexpr (std::is_same_v<T, __nv_bfloat16>)
    return __float2bfloat16_rn(static_cast<float>(value));
  else
    return static_cast<T>(value);
}

// Rank r's element i: r + 1 + i mod 7, so that the sum over N ranks is N (N + 1) / 2 + N (i mod 7),
// at most 84 for 8 ranks.
template <class T>
std::vector<T> contribution(int rank, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = number<T>(rank + 1 + static_cast<int>(i % 7));
  return values;
}

template <class T>
std::vector<T> sum_over(int ranks, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = number<T>(ranks * (ranks + 1) / 2 + ranks * static_cast<int>(i % 7));
  }
  return values;
}

template <class T>
bool same_bytes(const std::vector<T>& left, const std::vector<T>& right) {
  return left.size() == right.size() &&
         std::memcmp(left.data(), right.data(), left.size() * sizeof(T)) == 0;
}

template <class T>
void expect_sum(const Rank& rank, ncclDataType_t type, std::size_t count) {
  const DeviceValues<T> from(contribution<T>(rank.rank, count));
  const DeviceValues<T> to(std::vector<T>(count, number<T>(77)));
  ASSERT_EQ(
      ncclAllReduce(from.data(), to.data(), count, type, ncclSum, rank.communicator, rank.stream),
      ncclSuccess);
  ASSERT_EQ(cudaStreamSynchronize(rank.stream), cudaSuccess);
  EXPECT_TRUE(same_bytes(to.read(), sum_over<T>(rank.ranks, count)))
      << count << " elements of type " << type;
  EXPECT_TRUE(same_bytes(from.read(), contribution<T>(rank.rank, count)));
}

TEST(AllReduce, AddsUpEveryTypeOnAnyNumberOfRanks) {
  for (const int ranks : {1, 2, 3, 4, 8}) {
    with_communicator(ranks, "", [](const Rank& rank) {
      expect_sum<float>(rank, ncclFloat32, 1001);
      expect_sum<double>(rank, ncclFloat64, 1001);
      expect_sum<__half>(rank, ncclFloat16, 1001);
      expect_sum<__nv_bfloat16>(rank, ncclBfloat16, 1001);
      expect_sum<std::int8_t>(rank, ncclInt8, 1001);
      expect_sum<std::uint8_t>(rank, ncclUint8, 1001);
      expect_sum<std::int32_t>(rank, ncclInt32, 1001);
      expect_sum<std::uint32_t>(rank, ncclUint32, 1001);
      expect_sum<std::int64_t>(rank, ncclInt64, 1001);
      expect_sum<std::uint64_t>(rank, ncclUint64, 1001);
    });
  }
}

// 2^18 floats are one chunk of the shared memory.
TEST(AllReduce, TakesAnySize) {
  with_communicator(3, "", [](const Rank& rank) {
    for (const std::size_t count : {1U, 2U, 3U, 15U, 17U, 262143U, 262144U, 262145U, 1000003U}) {
      expect_sum<float>(rank, ncclFloat32, count);
    }
  });
}

TEST(AllReduce, InPlace) {
  with_communicator(2, "", [](const Rank& rank) {
    const DeviceValues<float> values(contribution<float>(rank.rank, 300000));
    ASSERT_EQ(ncclAllReduce(values.data(), values.data(), 300000, ncclFloat32, ncclSum,
                            rank.communicator, rank.stream),
              ncclSuccess);
    ASSERT_EQ(cudaStreamSynchronize(rank.stream), cudaSuccess);
    EXPECT_EQ(values.read(), sum_over<float>(2, 300000));
  });
}

TEST(AllReduce, OfNothingDoesNothing) {
  with_communicator(2, "", [](const Rank& rank) {
    EXPECT_EQ(
        ncclAllReduce(nullptr, nullptr, 0, ncclFloat32, ncclSum, rank.communicator, rank.stream),
        ncclSuccess);
    EXPECT_EQ(cudaStreamSynchronize(rank.stream), cudaSuccess);
  });
}

// (1e8 + 1) - 1e8 in fp32, in the order of ranks: 1e8 + 1 rounds to 1e8, so the sum is 0 on every
// rank; any other order of adding gives 1 on some.
TEST(AllReduce, AddsInTheOrderOfRanksOnAllRanks) {
  with_communicator(3, "", [](const Rank& rank) {
    const std::vector<float> mine = {1e8F, 1.0F, -1e8F};
    const DeviceValues<float> value({mine[static_cast<std::size_t>(rank.rank)]});
    ncclAllReduce(value.data(), value.data(), 1, ncclFloat32, ncclSum, rank.communicator,
                  rank.stream);
    ASSERT_EQ(cudaStreamSynchronize(rank.stream), cudaSuccess);
    EXPECT_EQ(value.read(), std::vector<float>{0});
  });
}

// Two all-reduces in place in one graph, on 1 from each of 2 ranks: every replay multiplies by 4.
TEST(AllReduce, IsReplayedInGraphs) {
  with_communicator(2, "", [](const Rank& rank) {
    const DeviceValues<float> value({1});
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(rank.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(ncclAllReduce(value.data(), value.data(), 1, ncclFloat32, ncclSum,
                              rank.communicator, rank.stream),
                ncclSuccess);
    }
    ASSERT_EQ(cudaStreamEndCapture(rank.stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    EXPECT_EQ(value.read(), std::vector<float>{1});
    for (int replay = 0; replay < 3; ++replay) {
      ASSERT_EQ(cudaGraphLaunch(executable, rank.stream), cudaSuccess);
    }
    ASSERT_EQ(cudaStreamSynchronize(rank.stream), cudaSuccess);
    EXPECT_EQ(value.read(), std::vector<float>{64});
  });
}

TEST(AllReduce, RefusesWhatTheStandInDoesNotDo) {
  with_communicator(1, "", [](const Rank& rank) {
    const DeviceValues<float> value({1});
    const auto reduce = [&](ncclDataType_t type, ncclRedOp_t operation) {
      return ncclAllReduce(value.data(), value.data(), 1, type, operation, rank.communicator,
                           rank.stream);
    };
    EXPECT_EQ(reduce(ncclFloat32, ncclMax), ncclInvalidArgument);
    EXPECT_EQ(reduce(ncclFloat8e4m3, ncclSum), ncclInvalidArgument);
    EXPECT_STREQ(ncclGetLastError(rank.communicator), "a type that is not added up here");
  });
}

}  // namespace
}  // namespace splitbench::standin

// Virtual time of a collective, by hand: all ranks start when the last one comes; then launch_s +
// latency_s + 2 (N - 1) / N * message / bandwidth_bytes_per_s.
#include <gtest/gtest.h>

#include <vector>

#include "tests/standin/clock.h"
#include "tests/standin/nccl/ranks.h"
#include "tests/standin/stream.h"
#include "tests/standin/test/device_values.h"

namespace splitbench::standin {
namespace {

constexpr const char* kTimes =
    R"("launch_s": 2e-6, "latency_s": 10e-6, "bandwidth_bytes_per_s": 1e10)";

// Moves the rank's device to this time by work of the stream.
void work_until(const Rank& rank, Time time) {
  const auto wait = [time](Turn& turn) { turn.wait_for(time); };
  ASSERT_EQ(enqueue(rank.stream, {Kind::bookkeeping, "wait", wait}), cudaSuccess);
}

void all_reduce(const Rank& rank, const DeviceValues<float>& values) {
  ASSERT_EQ(ncclAllReduce(values.data(), values.data(), values.count(), ncclFloat32, ncclSum,
                          rank.communicator, rank.stream),
            ncclSuccess);
  ASSERT_EQ(cudaStreamSynchronize(rank.stream), cudaSuccess);
}

// 4 MB over N ranks: V = 2 (N - 1) / N * 4e6 bytes = 4, 6, 7 MB for 2, 4, 8 ranks, at 1e10 bytes/s.
TEST(Time, OfACollectiveIsLaunchLatencyAndBytes) {
  struct Case {
    int ranks;
    double expected_s;
  };
  for (const Case& one : {Case{2, 412e-6}, Case{4, 612e-6}, Case{8, 712e-6}}) {
    with_communicator(one.ranks, kTimes, [&](const Rank& rank) {
      const DeviceValues<float> values(std::vector<float>(1000000));
      all_reduce(rank, values);  // all clocks agree from here on
      const Time start = device_clock(rank.rank);
      all_reduce(rank, values);
      EXPECT_EQ(device_clock(rank.rank) - start, from_seconds(one.expected_s));
    });
  }
}

// Rank r comes at r ms; the message is one float: 12 us and 4 bytes at 1e10 bytes/s, 0.4 ns.
TEST(Time, StartsWithTheLastRank) {
  with_communicator(2, kTimes, [&](const Rank& rank) {
    const DeviceValues<float> value({0});
    work_until(rank, from_seconds(1e-3 * (1 + rank.rank)));
    all_reduce(rank, value);
    EXPECT_EQ(device_clock(rank.rank), from_seconds(2e-3 + 12e-6 + 0.4e-9));
  });
}

TEST(Time, OfASlowLinkIsThatOfItsBytes) {
  with_communicator(2, std::string(kTimes) + R"(, "faults": [{"fault": "slow-link", "factor": 3}])",
                    [&](const Rank& rank) {
                      const DeviceValues<float> values(std::vector<float>(1000000));
                      all_reduce(rank, values);
                      const Time start = device_clock(rank.rank);
                      all_reduce(rank, values);
                      EXPECT_EQ(device_clock(rank.rank) - start, from_seconds(12e-6 + 3 * 400e-6));
                    });
}

// The same in a graph, and the estimate that NCCL gives (in microseconds) is the model's.
TEST(Time, IsTheSameInGraphsAndInTheEstimate) {
  with_communicator(2, kTimes, [&](const Rank& rank) {
    const DeviceValues<float> values(std::vector<float>(1000000));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(rank.stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    for (int i = 0; i < 3; ++i) {
      ncclAllReduce(values.data(), values.data(), values.count(), ncclFloat32, ncclSum,
                    rank.communicator, rank.stream);
    }
    ASSERT_EQ(cudaStreamEndCapture(rank.stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    all_reduce(rank, values);
    const Time start = device_clock(rank.rank);
    ASSERT_EQ(cudaGraphLaunch(executable, rank.stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(rank.stream), cudaSuccess);
    EXPECT_EQ(device_clock(rank.rank) - start, from_seconds(3 * 412e-6));

    ncclSimInfo_t info = NCCL_SIM_INFO_INITIALIZER;
    const Time before = device_clock(rank.rank);
    ASSERT_EQ(ncclGroupStart(), ncclSuccess);
    ncclAllReduce(values.data(), values.data(), values.count(), ncclFloat32, ncclSum,
                  rank.communicator, rank.stream);
    ASSERT_EQ(ncclGroupSimulateEnd(&info), ncclSuccess);
    EXPECT_FLOAT_EQ(info.estimatedTime, 412.0F);
    ASSERT_EQ(cudaStreamSynchronize(rank.stream), cudaSuccess);
    EXPECT_EQ(device_clock(rank.rank) - before, from_seconds(412e-6));  // it was launched as well
  });
}

}  // namespace
}  // namespace splitbench::standin

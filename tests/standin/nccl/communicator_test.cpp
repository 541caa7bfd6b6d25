// Communicators: who is in them, how they come about, what is refused.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "tests/standin/nccl/ranks.h"
#include "tests/standin/test/device_values.h"

namespace splitbench::standin {
namespace {

TEST(Communicator, KnowsItsRanksAndItsDevice) {
  with_communicator(3, "", [](const Rank& rank) {
    int count = 0;
    int number = -1;
    int device = -1;
    EXPECT_EQ(ncclCommCount(rank.communicator, &count), ncclSuccess);
    EXPECT_EQ(ncclCommUserRank(rank.communicator, &number), ncclSuccess);
    EXPECT_EQ(ncclCommCuDevice(rank.communicator, &device), ncclSuccess);
    EXPECT_EQ(count, 3);
    EXPECT_EQ(number, rank.rank);
    EXPECT_EQ(device, rank.rank);
    ncclResult_t error = ncclInternalError;
    EXPECT_EQ(ncclCommGetAsyncError(rank.communicator, &error), ncclSuccess);
    EXPECT_EQ(error, ncclSuccess);
    EXPECT_EQ(ncclCommFinalize(rank.communicator), ncclSuccess);
    EXPECT_EQ(ncclCommDestroy(rank.communicator), ncclSuccess);
  });
}

// One process with all devices; the collectives of a group, 1 + 2 = 3.
TEST(Communicator, OfOneProcessWithSeveralDevices) {
  run_alone(scenario_of(2), [] {
    ncclComm_t communicators[2] = {};
    ASSERT_EQ(ncclCommInitAll(communicators, 2, nullptr), ncclSuccess) << ncclGetLastError(nullptr);
    cudaStream_t streams[2] = {};
    std::vector<DeviceValues<float>*> values;
    for (int device = 0; device < 2; ++device) {
      cudaSetDevice(device);
      ASSERT_EQ(cudaStreamCreateWithFlags(&streams[device], cudaStreamNonBlocking), cudaSuccess);
      values.push_back(new DeviceValues<float>({static_cast<float>(device + 1)}));
    }
    ASSERT_EQ(ncclGroupStart(), ncclSuccess);
    for (int device = 0; device < 2; ++device) {
      float* data = values[static_cast<std::size_t>(device)]->data();
      EXPECT_EQ(ncclAllReduce(data, data, 1, ncclFloat32, ncclSum, communicators[device],
                              streams[device]),
                ncclSuccess);
    }
    ASSERT_EQ(ncclGroupEnd(), ncclSuccess);
    for (int device = 0; device < 2; ++device) {
      ASSERT_EQ(cudaStreamSynchronize(streams[device]), cudaSuccess);
      EXPECT_EQ(values[static_cast<std::size_t>(device)]->read(), std::vector<float>{3});
      delete values[static_cast<std::size_t>(device)];
    }
  });
}

TEST(Communicator, RefusesARankThatCannotBe) {
  run_alone(scenario_of(1), [] {
    ncclUniqueId id{};
    ncclComm_t communicator = nullptr;
    EXPECT_EQ(ncclCommInitRank(&communicator, 1, id, 0), ncclSystemError);
    EXPECT_STREQ(ncclGetLastError(nullptr),
                 "this is no unique id of the stand-in's ncclGetUniqueId");
    ASSERT_EQ(ncclGetUniqueId(&id), ncclSuccess);
    EXPECT_EQ(ncclCommInitRank(&communicator, 2, id, 2), ncclInvalidArgument);
    ncclConfig_t config{};
    EXPECT_EQ(ncclCommInitRankConfig(&communicator, 1, id, 0, &config), ncclInvalidArgument);
    config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    EXPECT_EQ(ncclCommInitRankConfig(&communicator, 1, id, 0, &config), ncclInvalidUsage);
    config.blocking = 1;
    EXPECT_EQ(ncclCommInitRankConfig(&communicator, 1, id, 0, &config), ncclSuccess);
    EXPECT_EQ(ncclCommInitRank(&communicator, 1, id, 0), ncclSystemError) << "the rank is taken";
  });
}

// As the real library does ("Duplicate GPU detected").
TEST(Communicator, RefusesOneDeviceForTwoRanks) {
  SharedId id;
  run_ranks(scenario_of(2), 2, [&](int rank) {
    ncclComm_t communicator = nullptr;
    EXPECT_EQ(ncclCommInitRank(&communicator, 2, id.get(rank), rank), ncclInvalidUsage);
    EXPECT_NE(std::string_view(ncclGetLastError(nullptr)).find("Duplicate GPU detected"),
              std::string_view::npos);
  });
}

// The real library compares hash of the host and PCI bus id (init.cc), and takes NCCL_HOSTID for
// the host where it is set: 1 + 2 = 3 on one device.
TEST(Communicator, TakesOneDeviceForTwoRanksOfTwoHosts) {
  SharedId id;
  run_ranks(scenario_of(1), 2, [&](int rank) {
    setenv("NCCL_HOSTID", std::to_string(rank).c_str(), 1);
    ncclComm_t communicator = nullptr;
    ASSERT_EQ(ncclCommInitRank(&communicator, 2, id.get(rank), rank), ncclSuccess)
        << ncclGetLastError(nullptr);
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    DeviceValues<float> values({static_cast<float>(rank + 1)});
    ASSERT_EQ(
        ncclAllReduce(values.data(), values.data(), 1, ncclFloat32, ncclSum, communicator, stream),
        ncclSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(values.read(), std::vector<float>{3});
    EXPECT_EQ(ncclCommDestroy(communicator), ncclSuccess);
  });
}

TEST(Communicator, NeedsADriverThatWorks) {
  run_alone(scenario_of(1, R"("faults": ["driver-mismatch"])"), [] {
    ncclUniqueId id{};
    ncclGetUniqueId(&id);
    ncclComm_t communicator = nullptr;
    EXPECT_EQ(ncclCommInitRank(&communicator, 1, id, 0), ncclUnhandledCudaError);
  });
}

}  // namespace
}  // namespace splitbench::standin

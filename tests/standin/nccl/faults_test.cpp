// Faults of collectives: who hangs, what is wrong, and that all of it can be ended.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "tests/standin/nccl/ranks.h"
#include "tests/standin/test/device_values.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::standin {
namespace {

using Floats = std::vector<float>;

void queue_all_reduce(const Rank& rank, const DeviceValues<float>& values) {
  EXPECT_EQ(ncclAllReduce(values.data(), values.data(), values.count(), ncclFloat32, ncclSum,
                          rank.communicator, rank.stream),
            ncclSuccess);
}

Floats all_reduce(const Rank& rank, const Floats& mine) {
  const DeviceValues<float> values(mine);
  queue_all_reduce(rank, values);
  EXPECT_EQ(cudaStreamSynchronize(rank.stream), cudaSuccess);
  return values.read();
}

// Ends what hangs as a user would, and looks at what the collective left.
void expect_no_result_after_abort(const Rank& rank, const DeviceValues<float>& values,
                                  const Floats& before) {
  EXPECT_EQ(cudaStreamQuery(rank.stream), cudaErrorNotReady);
  EXPECT_EQ(ncclCommAbort(rank.communicator), ncclSuccess);
  EXPECT_EQ(cudaStreamSynchronize(rank.stream), cudaSuccess);
  EXPECT_EQ(values.read(), before);
}

// One collective passes; rank 1 never comes to the second, so no rank gets out of it but by abort.
TEST(Faults, ACollectiveThatHangsEndsWithAbort) {
  with_communicator(2, R"("faults": [{"fault": "hang-in-collective", "rank": 1, "after": 1}])",
                    [](const Rank& rank) {
                      EXPECT_EQ(all_reduce(rank, {1}), Floats{2});
                      const DeviceValues<float> values({1});
                      queue_all_reduce(rank, values);
                      expect_no_result_after_abort(rank, values, {1});
                    });
}

// An error that one rank meets is seen by all, and the collective does not come to an end.
TEST(Faults, AnAsynchronousErrorReachesAllRanks) {
  with_communicator(2, R"("faults": [{"fault": "async-error", "rank": 0, "after": 1}])",
                    [](const Rank& rank) {
                      EXPECT_EQ(all_reduce(rank, {1}), Floats{2});
                      const DeviceValues<float> values({1});
                      queue_all_reduce(rank, values);
                      ncclResult_t error = ncclSuccess;
                      while (error == ncclSuccess) {
                        EXPECT_EQ(ncclCommGetAsyncError(rank.communicator, &error), ncclSuccess);
                      }
                      EXPECT_EQ(error, ncclRemoteError);
                      expect_no_result_after_abort(rank, values, {1});
                    });
}

// Documented for the stand-in: the real library hangs or corrupts.
TEST(Faults, RanksThatDisagreeGetAnInternalError) {
  with_communicator(2, "", [](const Rank& rank) {
    const DeviceValues<float> values(Floats(static_cast<std::size_t>(1 + rank.rank)));
    queue_all_reduce(rank, values);
    ncclResult_t error = ncclSuccess;
    while (error == ncclSuccess) ncclCommGetAsyncError(rank.communicator, &error);
    EXPECT_EQ(error, ncclInternalError);
    ncclCommAbort(rank.communicator);
  });
}

TEST(Faults, AWrongResultIsOneTooMuchInTheLastElementOfOneRank) {
  with_communicator(2, R"("faults": [{"fault": "wrong-result", "rank": 1, "after": 1}])",
                    [](const Rank& rank) {
                      EXPECT_EQ(all_reduce(rank, {1, 2, 3}), (Floats{2, 4, 6}));
                      EXPECT_EQ(all_reduce(rank, {1, 2, 3}),
                                rank.rank == 1 ? (Floats{2, 4, 7}) : (Floats{2, 4, 6}));
                    });
}

struct Corruption {
  const char* mode;
  Floats second;  // what rank 0 gets of the second collective
};

// Rank 1 sends 1 2, then 10 20, over a link that corrupts; rank 0 adds 100 200. Rank 1 itself sees
// its own contribution right.
TEST(Faults, CorruptLinksSpoilWhatOthersReceive) {
  const Corruption cases[] = {{"0", {100, 200}},
                              {"1", {100, 200}},
                              {"2", {101, 202}},
                              {"3", {100, 200}},
                              {"4", {120, 210}}};
  for (const Corruption& one : cases) {
    const std::string fault =
        R"("faults": [{"fault": "corrupt-peer", "rank": 1, "after": 1, "mode": )";
    with_communicator(2, fault + one.mode + "}]", [&](const Rank& rank) {
      const bool sender = rank.rank == 1;
      EXPECT_EQ(all_reduce(rank, sender ? Floats{1, 2} : Floats{100, 200}), (Floats{101, 202}));
      EXPECT_EQ(all_reduce(rank, sender ? Floats{10, 20} : Floats{100, 200}),
                sender ? (Floats{110, 220}) : one.second)
          << "mode " << one.mode;
    });
  }
}

TEST(Faults, CorruptLinksAreAvoidedThroughTheHost) {
  with_communicator(2, R"("faults": [{"fault": "corrupt-peer", "rank": 1}])", [](const Rank& rank) {
    setenv("NCCL_P2P_DISABLE", "1", 1);
    EXPECT_EQ(all_reduce(rank, {1, 2}), (Floats{2, 4}));
  });
}

// The process says that it is about to call, calls, and would say that it is back. It is killed
// after a while; what is expected is that it never came back, and that it could be killed.
void expect_hang(const std::string& more, const std::function<void(Rank, int pipe)>& body) {
  const test::TemporaryDirectory directory;  // what it cannot clean up itself
  setenv("TMPDIR", directory.path().c_str(), 1);
  int pipe_ends[2] = {};
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(pipe_ends[0]);
    with_communicator(1, more, [&](const Rank& rank) { body(rank, pipe_ends[1]); });
    _exit(0);
  }
  close(pipe_ends[1]);
  char said = 0;
  ASSERT_EQ(read(pipe_ends[0], &said, 1), 1);
  EXPECT_EQ(said, 'b');
  usleep(200'000);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read(pipe_ends[0], &said, 1), 0) << "it came back";
  close(pipe_ends[0]);
  unsetenv("TMPDIR");
}

void say(int pipe, char what) {
  EXPECT_EQ(write(pipe, &what, 1), 1);
}

TEST(Faults, AnAbortThatHangsCanBeKilled) {
  expect_hang(R"("faults": ["hang-in-abort"])", [](const Rank& rank, int pipe) {
    say(pipe, 'b');
    ncclCommAbort(rank.communicator);
    say(pipe, 'a');
  });
}

TEST(Faults, AnInitThatHangsCanBeKilled) {
  expect_hang(R"("faults": [{"fault": "hang-in-init", "after": 1}])", [](const Rank&, int pipe) {
    ncclUniqueId id{};
    ncclGetUniqueId(&id);
    ncclComm_t communicator = nullptr;
    say(pipe, 'b');
    ncclCommInitRank(&communicator, 1, id, 0);
    say(pipe, 'a');
  });
}

}  // namespace
}  // namespace splitbench::standin

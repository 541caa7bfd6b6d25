// Rank processes share the virtual clocks and meet at gates.
#include <sys/mman.h>

#include <atomic>
#include <new>

#include "kernels/gate.h"
#include "kernels/stamp.h"
#include "tests/standin/test/scenario_file.h"
#include "tests/support/child.h"

namespace splitbench::standin {
namespace {

constexpr std::uint64_t kBoundNs = 20'000'000'000;

// Memory that this process and its children share.
struct Shared {
  std::uint32_t flag = 0;  // of the gate
  std::atomic<int> queued{0};
  std::uint64_t stamps[2] = {};  // by rank, behind the gate

  static Shared& make() {
    void* pages = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return *new (pages) Shared;
  }
};

// Some launches of 1 ms, then a gate, then a stamp.
void queue_rank(Shared& shared, int rank, int launches) {
  ASSERT_EQ(cudaSetDevice(rank), cudaSuccess);
  ASSERT_EQ(cudaHostRegister(&shared, 4096, cudaHostRegisterMapped), cudaSuccess);
  const cudaStream_t stream = make_stream();
  auto* stamp = on_device<kernels::Stamp>(1);
  auto* expired = on_device<std::uint32_t>(1);
  for (int i = 0; i < launches; ++i) kernels::stamp(stamp, stream);
  ASSERT_EQ(kernels::gate(&shared.flag, 1, kBoundNs, expired, stream), cudaSuccess);
  kernels::stamp(stamp, stream);
  if (shared.queued.fetch_add(1) + 1 == 2) std::atomic_ref(shared.flag).store(1);
  kernels::Stamp read;
  ASSERT_EQ(cudaMemcpyAsync(&read, stamp, sizeof read, cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  shared.stamps[rank] = read.nanoseconds;
}

// Rank 1 comes 4 ms later than rank 0; both go on from there: 7 launches, the gate's, the stamp's.
TEST(Processes, GoOnFromAGateAtTheTimeOfTheLatest) {
  const ScenarioFile scenario(R"({"launch_s": 1e-3})");
  Shared& shared = Shared::make();
  test::Child rank1([&] {
    queue_rank(shared, 1, 7);
    return 0;
  });
  queue_rank(shared, 0, 3);
  ASSERT_EQ(rank1.wait(), 0);
  EXPECT_EQ(shared.stamps[0], 9'000'000U);
  EXPECT_EQ(shared.stamps[1], 9'000'000U);
}

// What ran on a device in an earlier process is past for a later one.
TEST(Processes, ADevicesClockGoesOnInTheNext) {
  const ScenarioFile scenario(R"({"launch_s": 1e-3, "bandwidth_bytes_per_s": 1e15})");
  Shared& shared = Shared::make();
  const auto stamp_twice = [&] {
    const cudaStream_t stream = make_stream();
    auto* stamp = on_device<kernels::Stamp>(1);
    kernels::stamp(stamp, stream);
    kernels::stamp(stamp, stream);
    kernels::Stamp read;
    cudaMemcpyAsync(&read, stamp, sizeof read, cudaMemcpyDeviceToHost, stream);
    return read.nanoseconds;
  };
  test::Child first([&] {
    shared.stamps[0] = stamp_twice();
    return 0;
  });
  ASSERT_EQ(first.wait(), 0);
  EXPECT_EQ(shared.stamps[0], 2'000'000U);
  EXPECT_EQ(stamp_twice(), 4'000'000U);
}

// A gate that nobody opens gives up, and says so.
TEST(Processes, AGateHasABound) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  auto* flag = on_device<std::uint32_t>(1);
  auto* expired = on_device<std::uint32_t>(1);
  ASSERT_EQ(cudaMemsetAsync(flag, 0, 4, stream), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(expired, 0, 4, stream), cudaSuccess);
  ASSERT_EQ(kernels::gate(flag, 1, 1'000'000, expired, stream), cudaSuccess);
  std::uint32_t read = 0;
  ASSERT_EQ(cudaMemcpyAsync(&read, expired, 4, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(read, 1U);
}

}  // namespace
}  // namespace splitbench::standin

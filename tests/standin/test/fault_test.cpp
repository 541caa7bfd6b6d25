// Faults that a scenario asks of the runtime.
#include <string>

#include "kernels/null.h"
#include "kernels/peer_probe.h"
#include "tests/standin/test/scenario_file.h"

namespace splitbench::standin {
namespace {

TEST(Fault, AStickyErrorComesAfterSoManyKernelsAndStays) {
  const ScenarioFile scenario(
      R"({"faults": [{"fault": "sticky-error", "after": 2, "code": 214}]})");
  const cudaStream_t stream = make_stream();
  kernels::null(stream);
  kernels::null(stream);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  kernels::null(stream);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorECCUncorrectable);
  EXPECT_EQ(kernels::null(stream), cudaErrorECCUncorrectable);
  EXPECT_EQ(cudaGetLastError(), cudaErrorECCUncorrectable);
}

TEST(Fault, OneDeviceIsLostAndTheOtherIsNot) {
  const ScenarioFile scenario(R"({"faults": [{"fault": "lost-device", "rank": 1}]})");
  const cudaStream_t sound = make_stream();
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  const cudaStream_t lost = make_stream();
  kernels::null(lost);
  EXPECT_EQ(cudaStreamSynchronize(lost), cudaErrorUnknown);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  kernels::null(sound);
  EXPECT_EQ(cudaStreamSynchronize(sound), cudaSuccess);
}

TEST(Fault, MemoryRunsOut) {
  const ScenarioFile scenario(R"({"faults": [{"fault": "out-of-memory", "after": 1}]})");
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 1), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&memory, 1), cudaErrorMemoryAllocation);
}

TEST(Fault, AnOldDriverIsAnErrorOfEveryCall) {
  const ScenarioFile scenario(R"({"faults": ["driver-mismatch"]})");
  int count = -1;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorInsufficientDriver);
  EXPECT_EQ(count, 0);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 1), cudaErrorInsufficientDriver);
  int driver = 0;
  int runtime = 0;
  ASSERT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
  ASSERT_EQ(cudaRuntimeGetVersion(&runtime), cudaSuccess);
  EXPECT_LT(driver, runtime);
}

TEST(Fault, ASystemNotReadyIsAnErrorOfEveryCall) {
  const ScenarioFile scenario(R"({"faults": ["error-802"]})");
  EXPECT_EQ(cudaSetDevice(0), cudaErrorSystemNotReady);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorSystemNotReady), "cudaErrorSystemNotReady");
}

TEST(Fault, PeersCannotBeReached) {
  const ScenarioFile scenario(R"({"faults": ["no-peer"]})");
  int can = -1;
  ASSERT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessUnsupported);
}

kernels::PeerFindings probe_peer() {
  constexpr std::size_t kWords = 1000;
  constexpr std::uint32_t kPoison = 0xdeadbeef;
  auto* guarded = on_device<std::uint32_t>(kWords + 2 * kernels::kGuardWords);
  auto* findings = on_device<kernels::PeerFindings>(1);
  EXPECT_EQ(cudaMemset(findings, 0, sizeof *findings), cudaSuccess);
  kernels::poison_guarded(guarded, kWords, kPoison, nullptr);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaSuccess);
  kernels::peer_store(guarded + kernels::kGuardWords, kWords, 17, nullptr);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  kernels::peer_look(guarded, kWords, 17, kPoison, findings, nullptr);
  kernels::PeerFindings found;
  EXPECT_EQ(cudaMemcpy(&found, findings, sizeof found, cudaMemcpyDeviceToHost), cudaSuccess);
  return found;
}

TEST(Fault, WithoutOneAPeersStoresArrive) {
  const ScenarioFile scenario("{}");
  const kernels::PeerFindings found = probe_peer();
  EXPECT_EQ(found.wrong, 0U);
  EXPECT_EQ(found.guards_broken, 0U);
}

TEST(Fault, ACorruptPeersStoresDoNotArrive) {
  const ScenarioFile scenario(R"({"faults": ["corrupt-peer"]})");
  const kernels::PeerFindings found = probe_peer();
  EXPECT_EQ(found.wrong, 1000U);
  EXPECT_EQ(found.still_poison, 1000U);
}

// Twice its second of work; the launch is not the device's.
TEST(Fault, AThrottledDeviceWorksSlower) {
  const ScenarioFile scenario(
      R"({"launch_s": 0.5, "table_s": {"null": 1.5}, "faults": [{"fault": "throttle", "factor": 2}]})");
  const cudaStream_t stream = make_stream();
  const cudaEvent_t start = make_event();
  const cudaEvent_t end = make_event();
  cudaEventRecord(start, stream);
  kernels::null(stream);
  cudaEventRecord(end, stream);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_FLOAT_EQ(milliseconds_between(start, end), 2500.0F);
}

}  // namespace
}  // namespace splitbench::standin

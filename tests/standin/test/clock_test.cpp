// Virtual time: what events and stamps read is what the scenario states, to the digit.
#include "kernels/fill.h"
#include "kernels/null.h"
#include "kernels/serial_part.h"
#include "kernels/stamp.h"
#include "tests/standin/test/scenario_file.h"

namespace splitbench::standin {
namespace {

using kernels::Element;
using kernels::Matrix;

// 1000 x 250 elements of fp32: a million bytes.
Matrix megabyte() {
  return {on_device<float>(250'000), Element::fp32, 1000, 250, 250};
}

TEST(VirtualTime, AKernelTakesItsLaunchAndItsBytes) {
  const ScenarioFile scenario(R"({"launch_s": 2e-6, "memory_bytes_per_s": 1e9})");
  const cudaStream_t stream = make_stream();
  const cudaEvent_t start = make_event();
  const cudaEvent_t end = make_event();
  cudaEventRecord(start, stream);
  ASSERT_EQ(kernels::fill_normal(megabyte(), 1, {}, 1.0F, stream), cudaSuccess);
  cudaEventRecord(end, stream);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_FLOAT_EQ(milliseconds_between(start, end), 1.002F);  // 10^6 B / 10^9 B/s + 2 us
}

TEST(VirtualTime, TheSerialPartTakesWhatTheScenarioSays) {
  const ScenarioFile scenario(R"({"launch_s": 2e-6, "serial_s": 7e-6})");
  const cudaStream_t stream = make_stream();
  const cudaEvent_t start = make_event();
  const cudaEvent_t end = make_event();
  const Matrix y = megabyte();
  cudaMemsetAsync(y.data, 0, 1'000'000, stream);
  cudaEventRecord(start, stream);
  ASSERT_EQ(kernels::serial_part(y, y, megabyte(), stream), cudaSuccess);
  cudaEventRecord(end, stream);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_FLOAT_EQ(milliseconds_between(start, end), 0.007F);
}

TEST(VirtualTime, ATableReplacesTheModelledCost) {
  const ScenarioFile scenario(R"({"launch_s": 2e-6, "table_s": {"fill_normal": 5e-6}})");
  const cudaStream_t stream = make_stream();
  const cudaEvent_t start = make_event();
  const cudaEvent_t end = make_event();
  cudaEventRecord(start, stream);
  ASSERT_EQ(kernels::fill_normal(megabyte(), 1, {}, 1.0F, stream), cudaSuccess);
  cudaEventRecord(end, stream);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_FLOAT_EQ(milliseconds_between(start, end), 0.005F);
}

// An end stamp reads its clock after its own launch, as the start stamp did: between two stamps
// lies one launch more than the work.
TEST(VirtualTime, StampsReadTheDevicesClockInNanoseconds) {
  const ScenarioFile scenario(R"({"launch_s": 2e-6, "memory_bytes_per_s": 1e9})");
  const cudaStream_t stream = make_stream();
  auto* stamps = on_device<kernels::Stamp>(3);
  kernels::stamp(stamps, stream);
  kernels::stamp(stamps + 1, stream);
  kernels::fill_normal(megabyte(), 1, {}, 1.0F, stream);
  kernels::stamp(stamps + 2, stream);
  kernels::Stamp read[3];
  ASSERT_EQ(cudaMemcpyAsync(read, stamps, sizeof read, cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  EXPECT_EQ(read[1].nanoseconds - read[0].nanoseconds, 2'000U);
  EXPECT_EQ(read[2].nanoseconds - read[1].nanoseconds, 1'004'000U);
  EXPECT_EQ(read[2].cycles - read[1].cycles, 1'004'000U);  // 1 GHz
}

TEST(VirtualTime, TheTimersStepIsANanosecond) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  auto* step = on_device<std::uint64_t>(1);
  kernels::measure_timer_step(step, stream);
  std::uint64_t read = 0;
  ASSERT_EQ(cudaMemcpyAsync(&read, step, sizeof read, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(read, 1U);
}

// Two streams side by side, joined by an event: the longer one counts.
TEST(VirtualTime, StreamsRunSideBySideUntilOneWaits) {
  const ScenarioFile scenario(R"({"launch_s": 1e-6, "memory_bytes_per_s": 1e9})");
  const cudaStream_t left = make_stream();
  const cudaStream_t right = make_stream();
  const cudaEvent_t start = make_event();
  const cudaEvent_t joined = make_event();
  const cudaEvent_t end = make_event();
  cudaEventRecord(start, left);
  cudaStreamWaitEvent(right, start, 0);
  kernels::fill_normal(megabyte(), 1, {}, 1.0F, right);
  cudaEventRecord(joined, right);
  kernels::null(left);
  kernels::null(left);
  cudaStreamWaitEvent(left, joined, 0);
  kernels::null(left);
  cudaEventRecord(end, left);
  ASSERT_EQ(cudaStreamSynchronize(left), cudaSuccess);
  EXPECT_FLOAT_EQ(milliseconds_between(start, end), 1.002F);  // 1 ms + 1 us, then 1 us
}

// What the host has waited for is past: a later kernel on a stream that was idle does not begin
// before it.
TEST(VirtualTime, AnIdleStreamDoesNotGoBackInTime) {
  const ScenarioFile scenario(R"({"launch_s": 1e-6, "memory_bytes_per_s": 1e9})");
  const cudaStream_t busy = make_stream();
  const cudaStream_t idle = make_stream();
  const cudaEvent_t before = make_event();
  const cudaEvent_t after = make_event();
  cudaEventRecord(before, busy);
  kernels::fill_normal(megabyte(), 1, {}, 1.0F, busy);
  ASSERT_EQ(cudaStreamSynchronize(busy), cudaSuccess);
  cudaEventRecord(after, idle);
  ASSERT_EQ(cudaStreamSynchronize(idle), cudaSuccess);
  EXPECT_FLOAT_EQ(milliseconds_between(before, after), 1.001F);
}

// The default stream waits for blocking streams, and they for it.
TEST(VirtualTime, TheDefaultStreamIsInOrderWithBlockingStreams) {
  const ScenarioFile scenario(R"({"launch_s": 1e-6, "memory_bytes_per_s": 1e9})");
  cudaStream_t blocking = nullptr;
  ASSERT_EQ(cudaStreamCreate(&blocking), cudaSuccess);
  const cudaEvent_t start = make_event();
  const cudaEvent_t end = make_event();
  cudaEventRecord(start, blocking);
  kernels::fill_normal(megabyte(), 1, {}, 1.0F, blocking);
  kernels::null(nullptr);
  cudaEventRecord(end, nullptr);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_FLOAT_EQ(milliseconds_between(start, end), 1.002F);
}

double noisy_milliseconds() {
  const cudaStream_t stream = make_stream();
  const cudaEvent_t start = make_event();
  const cudaEvent_t end = make_event();
  cudaEventRecord(start, stream);
  kernels::fill_normal(megabyte(), 1, {}, 1.0F, stream);
  cudaEventRecord(end, stream);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  return milliseconds_between(start, end);
}

// 10 % of noise on 1 ms: off 1 ms, but within six standard deviations; not the same twice.
TEST(VirtualTime, NoiseSpreadsDurations) {
  const ScenarioFile scenario(
      R"({"launch_s": 0, "memory_bytes_per_s": 1e9, "noise": 0.1, "seed": 7})");
  const double first = noisy_milliseconds();
  const double second = noisy_milliseconds();
  EXPECT_NE(first, second);
  for (const double milliseconds : {first, second}) {
    EXPECT_NE(milliseconds, 1.0);
    EXPECT_GT(milliseconds, 0.54);  // exp(-0.6)
    EXPECT_LT(milliseconds, 1.83);  // exp(0.6)
  }
}

TEST(RealTime, AKernelLastsNoShorterThanItsCost) {
  const ScenarioFile scenario(R"({"clock": "real", "launch_s": 1e-3, "memory_bytes_per_s": 1e9})");
  const cudaStream_t stream = make_stream();
  const cudaEvent_t start = make_event();
  const cudaEvent_t end = make_event();
  cudaEventRecord(start, stream);
  kernels::fill_normal(megabyte(), 1, {}, 1.0F, stream);
  cudaEventRecord(end, stream);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_GE(milliseconds_between(start, end), 2.0F);
}

}  // namespace
}  // namespace splitbench::standin

// Captured graphs, and what breaks a capture.
#include "kernels/fill.h"
#include "kernels/null.h"
#include "tests/standin/test/scenario_file.h"

namespace splitbench::standin {
namespace {

using kernels::Element;
using kernels::Matrix;

Matrix megabyte() {
  return {on_device<float>(250'000), Element::fp32, 1000, 250, 250};
}

cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  return executable;
}

void begin(cudaStream_t stream, cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal) {
  EXPECT_EQ(cudaStreamBeginCapture(stream, mode), cudaSuccess);
}

TEST(Graph, RunsAtLaunchAndNotAtCapture) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  float* memory = on_device<float>(1);
  ASSERT_EQ(cudaMemset(memory, 0, 4), cudaSuccess);
  begin(stream);
  kernels::fill_integers({memory, Element::fp32, 1, 1, 1}, 1, {}, 1, stream);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  float value = -2;
  ASSERT_EQ(cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value, 0.0F);
  ASSERT_EQ(cudaGraphLaunch(instantiate(graph), stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(value * value, 1.0F);
}

// Events recorded with cudaEventRecordExternal are nodes, and read anew at each launch.
TEST(Graph, ExternalEventsReadTheTimeOfEachLaunch) {
  const ScenarioFile scenario(R"({"launch_s": 1e-6, "memory_bytes_per_s": 1e9})");
  const cudaStream_t stream = make_stream();
  const cudaEvent_t first = make_event();
  const cudaEvent_t start = make_event();
  const cudaEvent_t end = make_event();
  const Matrix matrix = megabyte();
  begin(stream);
  ASSERT_EQ(cudaEventRecordWithFlags(start, stream, cudaEventRecordExternal), cudaSuccess);
  kernels::fill_normal(matrix, 1, {}, 1, stream);
  ASSERT_EQ(cudaEventRecordWithFlags(end, stream, cudaEventRecordExternal), cudaSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  std::size_t nodes = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 3U);
  const cudaGraphExec_t executable = instantiate(graph);
  cudaEventRecord(first, stream);
  for (int launch = 1; launch <= 2; ++launch) {
    ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_FLOAT_EQ(milliseconds_between(start, end), 1.001F);
    EXPECT_FLOAT_EQ(milliseconds_between(first, end), 1.001F * static_cast<float>(launch));
  }
}

// A fork and a join by events: 1 ms beside two launches of 1 us.
TEST(Graph, BranchesRunSideBySide) {
  const ScenarioFile scenario(R"({"launch_s": 1e-6, "memory_bytes_per_s": 1e9})");
  const cudaStream_t stream = make_stream();
  const cudaStream_t branch = make_stream();
  const cudaEvent_t fork = make_event();
  const cudaEvent_t join = make_event();
  const Matrix matrix = megabyte();
  begin(stream);
  cudaEventRecord(fork, stream);
  ASSERT_EQ(cudaStreamWaitEvent(branch, fork, 0), cudaSuccess);
  kernels::fill_normal(matrix, 1, {}, 1, branch);
  cudaEventRecord(join, branch);
  kernels::null(stream);
  kernels::null(stream);
  ASSERT_EQ(cudaStreamWaitEvent(stream, join, 0), cudaSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  const cudaEvent_t start = make_event();
  const cudaEvent_t end = make_event();
  cudaEventRecord(start, stream);
  cudaGraphLaunch(instantiate(graph), stream);
  cudaEventRecord(end, stream);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_FLOAT_EQ(milliseconds_between(start, end), 1.001F);
}

TEST(Graph, ABranchThatDoesNotComeBackIsAnError) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  const cudaStream_t branch = make_stream();
  const cudaEvent_t fork = make_event();
  begin(stream);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(branch, fork, 0);
  kernels::null(branch);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(kernels::null(branch), cudaSuccess);  // the capture is over for both
  EXPECT_EQ(cudaStreamSynchronize(branch), cudaSuccess);
}

// CUDA programming guide, "Prohibited and Unhandled Operations".
TEST(Graph, WaitingForACapturingStreamBreaksTheCapture) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  begin(stream);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  ASSERT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusInvalidated);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
}

TEST(Graph, AllocatingBreaksAThreadsCaptureUnlessItIsRelaxed) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  void* memory = nullptr;
  cudaGraph_t graph = nullptr;
  begin(stream);
  EXPECT_EQ(cudaMalloc(&memory, 1), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  begin(stream, cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaMalloc(&memory, 1), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
}

TEST(Graph, TheDefaultStreamBreaksACaptureOfABlockingStream) {
  const ScenarioFile scenario("{}");
  cudaStream_t blocking = nullptr;
  ASSERT_EQ(cudaStreamCreate(&blocking), cudaSuccess);
  begin(blocking);
  EXPECT_EQ(kernels::null(nullptr), cudaErrorStreamCaptureImplicit);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(blocking, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST(Graph, ACaptureIsOverWhenItsStreamGoes) {
  const ScenarioFile scenario("{}");
  const cudaStream_t gone = make_stream();
  begin(gone);
  kernels::null(gone);
  ASSERT_EQ(cudaStreamDestroy(gone), cudaSuccess);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 1), cudaSuccess);  // no capture forbids it
}

TEST(Graph, AnEventOfACaptureHasNoTime) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  const cudaEvent_t event = make_event();
  begin(stream);
  ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaErrorCapturedEvent);
  ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
}

}  // namespace
}  // namespace splitbench::standin

// Captures and graphs of the runtime.
#include <map>
#include <memory>
#include <mutex>

#include "tests/standin/capture.h"
#include "tests/standin/cudart/report.h"
#include "tests/standin/device.h"
#include "tests/standin/queue.h"

using namespace splitbench::standin;

namespace {

using SharedGraph = std::shared_ptr<const Graph>;

// Graphs and executable graphs are the same here: what was captured does not change.
template <typename Handle>
class Handles {
 public:
  Handle add(SharedGraph graph) {
    const std::lock_guard lock(mutex_);
    const auto handle = reinterpret_cast<Handle>(++last_);
    all_[handle] = std::move(graph);
    return handle;
  }
  SharedGraph find(Handle handle) {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(handle);
    return found == all_.end() ? nullptr : found->second;
  }
  bool remove(Handle handle) {
    const std::lock_guard lock(mutex_);
    return all_.erase(handle) != 0;
  }

 private:
  std::mutex mutex_;
  std::uintptr_t last_ = 0x1000;
  std::map<Handle, SharedGraph> all_;
};

Handles<cudaGraph_t>& graphs() {
  static auto& graphs = *new Handles<cudaGraph_t>;
  return graphs;
}

Handles<cudaGraphExec_t>& executables() {
  static auto& executables = *new Handles<cudaGraphExec_t>;
  return executables;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  STANDIN_NEEDS_DEVICE();
  const std::lock_guard lock(stream_mutex());
  Stream* stream = find_stream(handle);
  if (stream == nullptr) return report(cudaErrorInvalidResourceHandle);
  if (is_default_stream(*stream)) return report(cudaErrorStreamCaptureUnsupported);
  if (stream->capture != nullptr) return report(cudaErrorIllegalState);
  begin_capture(*stream, mode);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  STANDIN_NEEDS_DEVICE();
  const std::lock_guard lock(stream_mutex());
  Stream* stream = find_stream(handle);
  if (stream == nullptr || graph == nullptr) return report(cudaErrorInvalidValue);
  *graph = nullptr;
  if (stream->capture == nullptr) return report(cudaErrorIllegalState);
  cudaError_t error = cudaSuccess;
  SharedGraph captured = end_capture(*stream, &error);
  if (captured != nullptr) *graph = graphs().add(std::move(captured));
  return report(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  STANDIN_NEEDS_DEVICE();
  const std::lock_guard lock(stream_mutex());
  const Stream* stream = find_stream(handle);
  if (stream == nullptr || status == nullptr) return report(cudaErrorInvalidValue);
  *status = stream->capture == nullptr    ? cudaStreamCaptureStatusNone
            : stream->capture->is_valid() ? cudaStreamCaptureStatusActive
                                          : cudaStreamCaptureStatusInvalidated;
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (mode == nullptr) return report(cudaErrorInvalidValue);
  *mode = exchange_capture_mode(*mode);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  STANDIN_NEEDS_DEVICE();
  SharedGraph captured = graphs().find(graph);
  if (executable == nullptr || captured == nullptr) return report(cudaErrorInvalidValue);
  *executable = executables().add(std::move(captured));
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
  STANDIN_NEEDS_DEVICE();
  return report(executables().find(executable) == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t handle) {
  STANDIN_NEEDS_DEVICE();
  SharedGraph graph = executables().find(executable);
  if (graph == nullptr) return report(cudaErrorInvalidValue);
  const std::lock_guard lock(stream_mutex());
  Stream* stream = find_stream(handle);
  if (stream == nullptr) return report(cudaErrorInvalidResourceHandle);
  if (stream->capture != nullptr) {  // child graphs are not modelled
    stream->capture->invalidate();
    return report(cudaErrorStreamCaptureUnsupported);
  }
  launch_graph(*stream, std::move(graph));
  return cudaSuccess;
}

// Node handles have no use here: only how many there are.
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  const SharedGraph captured = graphs().find(graph);
  if (captured == nullptr || count == nullptr) return report(cudaErrorInvalidValue);
  if (nodes != nullptr) return report(cudaErrorNotSupported);
  *count = captured->nodes.size();
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return report(graphs().remove(graph) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return report(executables().remove(executable) ? cudaSuccess : cudaErrorInvalidValue);
}
}

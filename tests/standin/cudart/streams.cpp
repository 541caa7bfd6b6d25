// Streams of the runtime.
#include "tests/standin/stream.h"

#include <algorithm>

#include "tests/standin/capture.h"
#include "tests/standin/cudart/report.h"
#include "tests/standin/device.h"
#include "tests/standin/queue.h"

using namespace splitbench::standin;

namespace {

constexpr int kHighestPriority = -5;

// What is queued last in it; nothing with the reason when it cannot be waited for.
std::shared_ptr<Completion> end_of(cudaStream_t handle, cudaError_t* error) {
  const std::lock_guard lock(stream_mutex());
  Stream* stream = find_stream(handle);
  *error = cudaSuccess;
  if (stream == nullptr) {
    *error = cudaErrorInvalidResourceHandle;
  } else if (stream->capture != nullptr) {
    stream->capture->invalidate();
    *error = cudaErrorStreamCaptureUnsupported;
  } else if (is_default_stream(*stream) && invalidate_blocking_captures(stream->device())) {
    *error = cudaErrorStreamCaptureImplicit;
  }
  return *error == cudaSuccess ? stream->last() : nullptr;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  STANDIN_NEEDS_DEVICE();
  if (stream == nullptr || flags > cudaStreamNonBlocking) return report(cudaErrorInvalidValue);
  const std::lock_guard lock(stream_mutex());
  *stream = create_stream(current_device(), flags != cudaStreamNonBlocking,
                          std::clamp(priority, kHighestPriority, 0));
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const std::lock_guard lock(stream_mutex());
  return report(destroy_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  const std::lock_guard lock(stream_mutex());
  const Stream* stream = find_stream(handle);
  if (stream == nullptr || priority == nullptr) return report(cudaErrorInvalidValue);
  *priority = stream->priority();
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  STANDIN_NEEDS_DEVICE();
  cudaError_t error = cudaSuccess;
  const std::shared_ptr<Completion> end = end_of(stream, &error);
  if (end == nullptr) return report(error);
  wait_on_host(*end);
  return report(sticky_error(device_of(stream)));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  STANDIN_NEEDS_DEVICE();
  cudaError_t error = cudaSuccess;
  const std::shared_ptr<Completion> end = end_of(stream, &error);
  if (end == nullptr) return report(error);
  return report(has_ended(*end) ? sticky_error(device_of(stream)) : cudaErrorNotReady);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  STANDIN_NEEDS_DEVICE();
  if (function == nullptr) return report(cudaErrorInvalidValue);
  return report(enqueue(
      stream, {.kind = Kind::copy, .name = "host", .body = [=](Turn&) { function(data); }}));
}
}

// Events of the runtime.
#include "tests/standin/event.h"

#include "tests/standin/capture.h"
#include "tests/standin/cudart/report.h"
#include "tests/standin/device.h"
#include "tests/standin/queue.h"

using namespace splitbench::standin;

namespace {

// Recorded in a capture without being a node of it: a place for other streams to join at.
cudaError_t mark_place(Event& event, const Stream& stream) {
  event.captured = CapturedPlace{stream.capture->id(), stream.frontier};
  return cudaSuccess;
}

cudaError_t record(const std::shared_ptr<Event>& event, cudaStream_t handle, bool external) {
  {
    const std::lock_guard lock(stream_mutex());
    Stream* stream = find_stream(handle);
    if (stream == nullptr || event == nullptr || event->device() != stream->device()) {
      return cudaErrorInvalidResourceHandle;
    }
    if (stream->capture != nullptr && !external) return mark_place(*event, *stream);
    event->captured.reset();
  }
  return enqueue(handle, recording(event));
}

cudaError_t join(Stream& stream, const CapturedPlace& place) {
  Capture* capture = find_capture(place.capture);
  if (capture == nullptr) return cudaErrorCapturedEvent;
  return capture->join(stream, place.after);
}

// Nothing, with the reason, when the event holds no time to wait for.
std::shared_ptr<Completion> end_of(cudaEvent_t handle, cudaError_t* error) {
  const std::shared_ptr<Event> event = find_event(handle);
  const std::lock_guard lock(stream_mutex());
  *error = cudaSuccess;
  if (event == nullptr) {
    *error = cudaErrorInvalidResourceHandle;
  } else if (event->captured) {
    if (Capture* capture = find_capture(event->captured->capture)) capture->invalidate();
    *error = cudaErrorCapturedEvent;
  }
  return *error == cudaSuccess ? event->latest() : nullptr;
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  STANDIN_NEEDS_DEVICE();
  if (event == nullptr) return report(cudaErrorInvalidValue);
  *event = create_event(current_device(), (flags & cudaEventDisableTiming) == 0);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return report(destroy_event(event) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  STANDIN_NEEDS_DEVICE();
  return report(record(find_event(event), stream, (flags & cudaEventRecordExternal) != 0));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  STANDIN_NEEDS_DEVICE();
  cudaError_t error = cudaSuccess;
  const std::shared_ptr<Completion> end = end_of(event, &error);
  if (end == nullptr) return report(error);
  wait_on_host(*end);
  return report(sticky_error(current_device()));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  STANDIN_NEEDS_DEVICE();
  cudaError_t error = cudaSuccess;
  const std::shared_ptr<Completion> end = end_of(event, &error);
  if (end == nullptr) return report(error);
  return report(has_ended(*end) ? sticky_error(current_device()) : cudaErrorNotReady);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  STANDIN_NEEDS_DEVICE();
  const std::shared_ptr<Event> from = find_event(start);
  const std::shared_ptr<Event> to = find_event(end);
  if (milliseconds == nullptr) return report(cudaErrorInvalidValue);
  if (from == nullptr || to == nullptr || !from->has_timing() || !to->has_timing() ||
      from->device() != to->device()) {
    return report(cudaErrorInvalidResourceHandle);
  }
  const std::shared_ptr<Completion> first = from->latest();
  const std::shared_ptr<Completion> last = to->latest();
  if (first == nullptr || last == nullptr) return report(cudaErrorInvalidResourceHandle);
  if (!first->end() || !last->end()) return report(cudaErrorNotReady);
  *milliseconds = static_cast<float>(to_seconds(*last->end() - *first->end()) * 1e3);
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t waited, unsigned flags) {
  STANDIN_NEEDS_DEVICE();
  if (flags != cudaEventWaitDefault) return report(cudaErrorNotSupported);
  const std::shared_ptr<Event> event = find_event(waited);
  if (event == nullptr) return report(cudaErrorInvalidResourceHandle);
  {
    const std::lock_guard lock(stream_mutex());
    Stream* stream = find_stream(handle);
    if (stream == nullptr) return report(cudaErrorInvalidResourceHandle);
    if (event->captured) return report(join(*stream, *event->captured));
    if (stream->capture != nullptr) {  // a point in time outside of the graph
      stream->capture->invalidate();
      return report(cudaErrorStreamCaptureIsolation);
    }
  }
  const std::shared_ptr<Completion> end = event->latest();
  if (end == nullptr) return cudaSuccess;
  return report(enqueue(handle, {.kind = Kind::bookkeeping,
                                 .name = "wait",
                                 .body = [end](Turn& turn) { turn.wait_for(end->wait()); }}));
}
}

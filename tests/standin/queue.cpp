#include "tests/standin/queue.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <thread>
#include <utility>

#include "tests/standin/capture.h"
#include "tests/standin/device.h"
#include "tests/standin/scenario.h"

namespace splitbench::standin {
namespace {

// All of it is never destroyed: threads of streams outlive main().
struct Streams {
  std::set<Stream*> all;
  std::array<Stream*, kMostDevices> defaults{};
};

Streams& streams() {
  static Streams& streams = *new Streams;
  return streams;
}

std::atomic<std::int64_t>& host_clock() {
  static std::atomic<std::int64_t> clock{0};  // picoseconds
  return clock;
}

void advance_host_clock(Time time) {
  std::int64_t seen = host_clock().load();
  while (seen < time.count() && !host_clock().compare_exchange_weak(seen, time.count())) {
  }
}

// Where the device's clock stood when this process first had a stream on it: what ran before is
// past.
Time first_sight(int device) {
  static std::array<std::optional<Time>, kMostDevices> times;
  std::optional<Time>& time = times[static_cast<std::size_t>(device)];
  if (!time) time = device_clock(device);
  return *time;
}

Stream* default_stream(int device) {
  Stream*& stream = streams().defaults[static_cast<std::size_t>(device)];
  if (stream == nullptr) stream = new Stream(device, true, 0);
  return stream;
}

// So that what is queued now comes after what the other stream holds.
void follow(Stream& stream, Stream& other) {
  stream.push([before = other.last()](Time start, std::string&) {
    return std::max(start, before->wait());
  });
}

}  // namespace

std::mutex& stream_mutex() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

Stream::Stream(int device, bool blocking, int priority)
    : device_(device),
      blocking_(blocking),
      priority_(priority),
      last_(std::make_shared<Completion>()) {
  const Time now = first_sight(device);
  last_->finish(now);
  std::thread([this, now] { run(now); }).detach();
}

std::shared_ptr<Completion> Stream::push(Work work) {
  auto completion = std::make_shared<Completion>();
  const std::lock_guard lock(mutex_);
  items_.push_back({std::move(work), Time(host_clock().load()), completion});
  last_ = completion;
  queued_.notify_one();  // while it is sure to be there: the last item ends the stream
  return completion;
}

std::shared_ptr<Completion> Stream::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

void Stream::close() {
  push({});
}

Stream::Item Stream::next() {
  std::unique_lock lock(mutex_);
  queued_.wait(lock, [this] { return !items_.empty(); });
  Item item = std::move(items_.front());
  items_.pop_front();
  return item;
}

void Stream::run(Time now) {
  std::string previous;
  for (;;) {
    Item item = next();
    if (!item.work) break;
    now = item.work(std::max(now, item.earliest), previous);
    item.work = nullptr;  // what it held goes before anyone hears that it ended
    item.completion->finish(now);
  }
  delete this;
}

Stream* find_stream(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return default_stream(current_device());
  if (handle == cudaStreamPerThread) {
    thread_local std::array<Stream*, kMostDevices> own{};
    Stream*& stream = own[static_cast<std::size_t>(current_device())];
    if (stream == nullptr) {
      stream = new Stream(current_device(), true, 0);
      streams().all.insert(stream);
    }
    return stream;
  }
  auto* stream = reinterpret_cast<Stream*>(handle);
  return streams().all.contains(stream) ? stream : nullptr;
}

cudaStream_t create_stream(int device, bool blocking, int priority) {
  auto* stream = new Stream(device, blocking, priority);
  streams().all.insert(stream);
  return reinterpret_cast<cudaStream_t>(stream);
}

bool destroy_stream(cudaStream_t handle) {
  auto* stream = reinterpret_cast<Stream*>(handle);
  if (streams().all.erase(stream) == 0) return false;
  leave_capture(*stream);
  stream->close();
  return true;
}

bool is_default_stream(const Stream& stream) {
  return streams().defaults[static_cast<std::size_t>(stream.device())] == &stream;
}

std::vector<Stream*> streams_of(int device) {
  std::vector<Stream*> found;
  for (Stream* stream : streams().all) {
    if (stream->device() == device) found.push_back(stream);
  }
  if (Stream* stream = streams().defaults[static_cast<std::size_t>(device)]) {
    found.push_back(stream);
  }
  return found;
}

std::shared_ptr<Completion> queue_work(Stream& stream, Stream::Work work) {
  if (is_default_stream(stream)) {
    for (Stream* other : streams().all) {
      if (other->device() == stream.device() && other->blocking()) follow(stream, *other);
    }
  } else if (stream.blocking()) {
    Stream* other = streams().defaults[static_cast<std::size_t>(stream.device())];
    if (other != nullptr) follow(stream, *other);
  }
  return stream.push(std::move(work));
}

std::shared_ptr<Completion> queue_operation(Stream& stream, const Operation& operation) {
  if (operation.queued) operation.queued();
  return queue_work(stream,
                    [operation, device = stream.device()](Time start, std::string& previous) {
                      return run_operation(operation, device, start, previous, 0);
                    });
}

cudaError_t enqueue(cudaStream_t handle, Operation operation) {
  const std::lock_guard lock(stream_mutex());
  Stream* stream = find_stream(handle);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->capture != nullptr) return stream->capture->add(*stream, std::move(operation));
  if (const cudaError_t error = sticky_error(stream->device())) return error;
  if (is_default_stream(*stream) && invalidate_blocking_captures(stream->device())) {
    return cudaErrorStreamCaptureImplicit;
  }
  queue_operation(*stream, operation);
  return cudaSuccess;
}

int device_of(cudaStream_t handle) {
  const std::lock_guard lock(stream_mutex());
  const Stream* stream = find_stream(handle);
  return stream == nullptr ? current_device() : stream->device();
}

bool is_capturing(cudaStream_t handle) {
  const std::lock_guard lock(stream_mutex());
  const Stream* stream = find_stream(handle);
  return stream != nullptr && stream->capture != nullptr;
}

void wait_on_host(Completion& completion) {
  advance_host_clock(completion.wait());
}

bool has_ended(const Completion& completion) {
  const std::optional<Time> end = completion.end();
  if (end) advance_host_clock(*end);
  return end.has_value();
}

}  // namespace splitbench::standin

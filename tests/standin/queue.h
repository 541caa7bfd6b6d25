// The inside of a stream: its thread, its order with other streams, its capture.
//
// In virtual time an operation starts when the one before it in the stream ended, but not before
// the time at which the host queued it; the host's time is the latest end that it waited for.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tests/standin/completion.h"
#include "tests/standin/stream.h"

namespace splitbench::standin {

class Capture;

// Guards what streams know of each other and of captures. Held while an operation is queued.
std::mutex& stream_mutex();

class Stream {
 public:
  Stream(int device, bool blocking, int priority);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  int device() const { return device_; }
  bool blocking() const { return blocking_; }  // in order with the legacy default stream
  int priority() const { return priority_; }

  // Work gets the time at which it may start and the name of the operation before it, which it
  // replaces; it returns its end.
  using Work = std::function<Time(Time start, std::string& previous)>;
  std::shared_ptr<Completion> push(Work work);
  // The end of what was queued last.
  std::shared_ptr<Completion> last() const;
  // Nothing follows: the thread ends and deletes the stream when all that was queued has run.
  void close();

  // By stream_mutex():
  Capture* capture = nullptr;
  std::vector<std::size_t> frontier;  // nodes of the capture that the next one comes after

 private:
  struct Item {
    Work work;  // empty: the stream ends
    Time earliest;
    std::shared_ptr<Completion> completion;
  };
  void run(Time now);
  Item next();

  int device_;
  bool blocking_;
  int priority_;
  mutable std::mutex mutex_;
  std::condition_variable queued_;
  std::deque<Item> items_;
  std::shared_ptr<Completion> last_;
};

// By stream_mutex(): handles of the runtime and what they stand for; null and cudaStreamLegacy are
// the legacy default stream of the current device. Null for a handle that is none.
Stream* find_stream(cudaStream_t handle);
cudaStream_t create_stream(int device, bool blocking, int priority);
bool destroy_stream(cudaStream_t handle);
bool is_default_stream(const Stream& stream);
std::vector<Stream*> streams_of(int device);

// Queues one operation outside of any capture, in its order with the default stream. The caller
// holds stream_mutex().
std::shared_ptr<Completion> queue_operation(Stream& stream, const Operation& operation);
std::shared_ptr<Completion> queue_work(Stream& stream, Stream::Work work);

// Runs one operation on a device's clock; returns its end.
Time run_operation(const Operation& operation, int device, Time start, std::string& previous,
                   int occurrence);

// Waits for it, as the host does.
void wait_on_host(Completion& completion);
// Whether it ended; if so the host knows the time.
bool has_ended(const Completion& completion);

}  // namespace splitbench::standin

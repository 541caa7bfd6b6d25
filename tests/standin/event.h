// Events: points in a stream that a host or another stream waits for, with the time of each.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "tests/standin/completion.h"
#include "tests/standin/stream.h"

namespace splitbench::standin {

// Where an event was recorded inside a capture: a place between nodes, not a point in time.
struct CapturedPlace {
  std::uint64_t capture = 0;  // Capture::id()
  std::vector<std::size_t> after;
};

class Event {
 public:
  Event(int device, bool timing) : device_(device), timing_(timing) {}

  int device() const { return device_; }
  bool has_timing() const { return timing_; }

  // The end of the recording that was queued last; null when there was none.
  std::shared_ptr<Completion> latest() const;
  // By stream_mutex(): set while the event was last recorded in a capture.
  std::optional<CapturedPlace> captured;

 private:
  friend Operation recording(const std::shared_ptr<Event>& event);

  int device_;
  bool timing_;
  mutable std::mutex mutex_;
  std::shared_ptr<Completion> latest_;
  std::deque<std::shared_ptr<Completion>> queued_;  // recordings that have not run yet
};

// The operation that records it; in a graph it does so at every launch.
Operation recording(const std::shared_ptr<Event>& event);

// Handles of the runtime; null for one that is none.
cudaEvent_t create_event(int device, bool timing);
std::shared_ptr<Event> find_event(cudaEvent_t handle);
bool destroy_event(cudaEvent_t handle);

}  // namespace splitbench::standin

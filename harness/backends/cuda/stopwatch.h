// Marks in a stream's work, and the times between them: by kernels that read the device's timer, or
// by events. A mark takes time itself: the interval before it holds that.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/backends/cuda/runtime.h"
#include "kernels/stamp.h"

namespace splitbench::cuda {

enum class TimeSource { stamps, events };
std::string_view name(TimeSource source);
// Throws HarnessError for a name it does not know.
TimeSource time_source(std::string_view name);

// The smallest step that the device's timer was seen to take; nothing where it was seen to take
// none. Waits for the stream.
std::optional<double> timer_step(cudaStream_t stream);

class Stopwatch {
 public:
  // For work with at most so many marks.
  Stopwatch(TimeSource source, std::size_t most_marks);

  TimeSource source() const { return source_; }

  // Queues mark number `index`, also into a graph.
  void mark(std::size_t index, cudaStream_t stream) const;

  // Queues what brings the marks to the host; behind the work, not inside it.
  void fetch(std::size_t marks, cudaStream_t stream) const;

  // Seconds from each mark to the next, once the stream is done: marks - 1 of them.
  std::vector<double> intervals(std::size_t marks) const;

  // Cycles per second between the first and the last mark; nothing for events, and where the two
  // were not taken by one multiprocessor.
  std::optional<double> clock_hz(std::size_t marks) const;

 private:
  TimeSource source_;
  DeviceMemory stamps_;  // kernels::Stamp each
  Pinned<kernels::Stamp> fetched_;
  std::vector<Event> events_;
};

}  // namespace splitbench::cuda

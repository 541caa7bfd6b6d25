// Streams: queues of operations, each with a thread that runs them in order and keeps the stream's
// time. How a library adds work: enqueue(stream, {Kind::kernel, "matmul ...", body}), where the
// body computes and says with Turn::spend() how long that took.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tests/standin/clock.h"

namespace splitbench::standin {

enum class Kind {
  kernel,      // pays launch_s, may be throttled; faults sticky-error and lost-device strike here
  collective,  // pays launch_s
  copy,
  bookkeeping,  // events, waits: takes no time
};

struct Operation;

// An operation while it runs, seen from inside. Its launch, if any, is already paid.
class Turn {
 public:
  Turn(int device, Time now) : device_(device), now_(now) {}

  int device() const { return device_; }
  Time now() const { return now_; }

  // The device's clock as a kernel reads it: now(), or the real time. Readings within one operation
  // are a nanosecond apart in virtual time, and take none.
  Time time() const { return virtual_time() ? now_ : monotonic_now(); }
  std::uint64_t next_reading() { return virtual_time() ? readings_++ : 0; }

  // The work takes this long, or as long as the scenario's table_s says for its name: throttling
  // and noise applied, then the clock moved (virtual) or waited for (real). To be called once.
  void spend(double seconds);
  // The same for a duration that includes the launch.
  void spend_in_all(double seconds);
  // Not before this time, without it being this operation's own work (waiting for others).
  void wait_for(Time time);

  // Name of the operation before this one in the same graph launch, or on the stream outside
  // graphs; empty when it is the first.
  const std::string& previous() const { return previous_; }
  // How many operations of this name ran before it in the same graph launch; 0 outside graphs.
  int occurrence() const { return occurrence_; }

 private:
  friend Time run_operation(const Operation& operation, int device, Time start,
                            std::string& previous, int occurrence);
  void take(double seconds);

  int device_;
  Time now_;
  Time spent_{0};
  Kind kind_ = Kind::bookkeeping;
  std::string previous_;
  int occurrence_ = 0;
  std::uint64_t readings_ = 0;
  std::optional<double> stated_;  // by table_s
};

struct Operation {
  Kind kind = Kind::bookkeeping;
  std::string name;
  std::function<void(Turn&)> body;    // may be run many times (graphs); empty: nothing
  std::function<void()> queued = {};  // called in the host's thread whenever it enters a queue
};

// Puts it behind what the stream holds, or into the graph that the stream is capturing. Returns the
// device's sticky error, or a capture error. A null stream is the legacy default stream of the
// current device.
cudaError_t enqueue(cudaStream_t stream, Operation operation);

int device_of(cudaStream_t stream);
bool is_capturing(cudaStream_t stream);

}  // namespace splitbench::standin

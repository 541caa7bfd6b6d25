// Captured graphs: operations in the order in which they were captured, each with those it comes
// after. A launch runs them one by one in that order, with the times they would have side by side.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/standin/queue.h"

namespace splitbench::standin {

struct Node {
  Operation operation;
  int device = 0;
  std::vector<std::size_t> after;  // indices of earlier nodes
};

struct Graph {
  std::vector<Node> nodes;
};

// Queues the whole graph in a stream. The caller holds stream_mutex().
void launch_graph(Stream& stream, std::shared_ptr<const Graph> graph);

// A capture that goes on. All of it by stream_mutex().
class Capture {
 public:
  Capture(Stream& origin, cudaStreamCaptureMode mode);
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  Stream& origin() const { return *origin_; }
  std::uint64_t id() const { return id_; }
  bool is_valid() const { return valid_; }
  void invalidate() { valid_ = false; }
  bool began_here() const { return thread_ == std::this_thread::get_id(); }
  cudaStreamCaptureMode mode() const { return mode_; }

  cudaError_t add(Stream& stream, Operation operation);
  // The stream's next node comes after these too; it joins the capture if it was not in it.
  cudaError_t join(Stream& stream, const std::vector<std::size_t>& after);
  void drop(Stream& member);
  // What it captured. Null with the reason in *error when it was invalid or not all streams joined.
  std::shared_ptr<const Graph> take_graph(cudaError_t* error);

 private:
  bool all_joined() const;

  Stream* origin_;
  cudaStreamCaptureMode mode_;
  std::uint64_t id_;
  std::thread::id thread_;
  bool valid_ = true;
  Graph graph_;
  std::vector<Stream*> members_;
};

// By stream_mutex(). A capture ends in its origin; null with the reason in *error when it was
// invalid, or when a stream that joined did not come back. It is over in any case but a wrong
// stream or thread.
void begin_capture(Stream& origin, cudaStreamCaptureMode mode);
std::shared_ptr<const Graph> end_capture(Stream& origin, cudaError_t* error);
Capture* find_capture(std::uint64_t id);
// For a stream that goes away: the capture that began in it is over, one that it joined is invalid.
void leave_capture(Stream& stream);

// Whether a capture forbids the calling thread a call that could break it (an allocation, a wait
// for the whole device); it is then invalid. By the modes of cudaStreamBeginCapture.
bool breaks_capture();
cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode);

// Use of the legacy default stream breaks captures on the device's blocking streams.
bool invalidate_blocking_captures(int device);

}  // namespace splitbench::standin

// How many layers a graph holds, told by the products with ReLU that were captured into it: one a
// layer.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <memory>

namespace splitbench::standin {

class CapturedLayers {
 public:
  void add() { ++count_; }
  int count() const { return count_.load(); }

 private:
  std::atomic<int> count_{0};
};

// Counts one more layer of the capture that goes on in the stream: the same object for all of it.
// Null where nothing is captured.
std::shared_ptr<CapturedLayers> count_captured_layer(cudaStream_t stream);

}  // namespace splitbench::standin

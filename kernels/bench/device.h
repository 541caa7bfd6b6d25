// What the benchmarks share: owners of device objects, and time by CUDA events.
#pragma once

#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace splitbench::kernels::bench {

// Throws std::runtime_error with the error's name; main ends there.
inline void check(cudaError_t answer) {
  if (answer != cudaSuccess) throw std::runtime_error(cudaGetErrorString(answer));
}

// Memory of the current device.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) { check(cudaMalloc(&data_, bytes)); }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

// A stream of one device with an event before and one after what is timed.
class TimedStream {
 public:
  explicit TimedStream(int device = 0) : device_(device) {
    check(cudaSetDevice(device));
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaEventCreate(&before_));
    check(cudaEventCreate(&after_));
  }
  ~TimedStream() {
    cudaEventDestroy(after_);
    cudaEventDestroy(before_);
    cudaStreamDestroy(stream_);
  }
  TimedStream(const TimedStream&) = delete;
  TimedStream& operator=(const TimedStream&) = delete;

  cudaStream_t get() const { return stream_; }

  void start() {
    check(cudaSetDevice(device_));
    check(cudaEventRecord(before_, stream_));
  }
  void end() {
    check(cudaSetDevice(device_));
    check(cudaEventRecord(after_, stream_));
  }

  // Waits for the end.
  double seconds() const {
    float milliseconds = 0;
    check(cudaEventSynchronize(after_));
    check(cudaEventElapsedTime(&milliseconds, before_, after_));
    return milliseconds * 1e-3;
  }

 private:
  int device_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t before_ = nullptr;
  cudaEvent_t after_ = nullptr;
};

// Times work(stream), which queues and does not wait; once before, untimed, so that what is loaded
// or connected at first use is.
template <typename Work>
void time_on_device(benchmark::State& state, Work work) {
  TimedStream stream;
  work(stream.get());
  for ([[maybe_unused]] auto _ : state) {
    stream.start();
    work(stream.get());
    stream.end();
    state.SetIterationTime(stream.seconds());
  }
}

inline void count_bytes(benchmark::State& state, double bytes) {
  state.counters["bytes_per_s"] =
      benchmark::Counter(bytes, benchmark::Counter::kIsIterationInvariantRate);
}

inline void count_flops(benchmark::State& state, double flops) {
  state.counters["flops"] =
      benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
}

// Of a product: (tokens x depth) (depth x width).
struct Shape {
  std::int64_t tokens;
  std::int64_t width;
  std::int64_t depth;
};

void register_kernels();
void register_matmuls(const std::vector<Shape>& shapes);  // none: those of usual layers
void register_all_reduces(int devices);

}  // namespace splitbench::kernels::bench

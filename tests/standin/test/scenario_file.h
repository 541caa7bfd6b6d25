// For tests that run on the stand-ins: a scenario of the test's own. A process reads its scenario
// once, so each of these tests needs a process of its own, as ctest gives it.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/support/temporary_directory.h"

namespace splitbench::standin {

// The scenario of this process and of those that it starts, from now until the end of the test.
class ScenarioFile {
 public:
  explicit ScenarioFile(const std::string& json) {
    std::ofstream(directory_ / "scenario.json") << json;
    setenv("SPLITBENCH_STANDIN", (directory_ / "scenario.json").c_str(), 1);
  }

 private:
  test::TemporaryDirectory directory_;
};

// Room for `count` elements on the current device; never freed: the process ends with the test.
template <typename T>
T* on_device(std::size_t count) {
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, count * sizeof(T)), cudaSuccess);
  return static_cast<T*>(memory);
}

inline cudaStream_t make_stream() {
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  return stream;
}

inline cudaEvent_t make_event() {
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
  return event;
}

// Both have ended.
inline float milliseconds_between(cudaEvent_t start, cudaEvent_t end) {
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  return milliseconds;
}

}  // namespace splitbench::standin

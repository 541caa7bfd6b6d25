// A library with NVML's names that answers as a test tells it to. Layouts and codes as in the
// public nvml.h (API 13), written down here once more and not taken from the adapter under test.
#pragma once

#include <cstddef>

namespace splitbench::test {

inline constexpr int kFakeDevices = 2;

// What the fake is told, and what it tells of one device.
struct FakeNvml {
  int init_code = 0;    // of nvmlInit_v2
  int device_code = 0;  // of every call about a device
  int links_code = 0;   // of calls about links
  std::size_t process_stride = 24;
  unsigned processes = 0;  // with ids first_process, first_process + 1, ...
  unsigned first_process = 1000;
  unsigned links = 3;  // the last one is down
  unsigned long long event_reasons = 0;
  unsigned long long memory_errors[2] = {0, 0};
  unsigned long long link_errors[4] = {0, 0, 0, 0};
  unsigned long long memory_used = 0;
  int shutdowns = 0;
};

}  // namespace splitbench::test

// How many bytes each call writes, and where. Expected: sizes and offsets of nvml.h, API 13, as
// found by compiling it on x86-64; written out here, not taken from the stand-in's declarations.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "tests/standin/nvml/library.h"
#include "tests/standin/test/scenario_run.h"

namespace splitbench::standin {
namespace {

constexpr unsigned char kPoison = 0xee;
constexpr const char* kScenario =
    R"({"devices": 2, "faults": [{"fault": "other-process", "pid": 4711, "bytes": 12345678}]})";

// More room than any of the structures needs.
struct Buffer {
  std::array<unsigned char, 256> bytes;
  Buffer() { bytes.fill(kPoison); }

  // The last byte that was written, plus 1, up to padding that the compiler leaves alone.
  std::size_t written() const {
    std::size_t end = bytes.size();
    while (end > 0 && bytes[end - 1] == kPoison) --end;
    return end;
  }
  template <class T>
  T at(std::size_t offset) const {
    T value;
    std::memcpy(&value, &bytes[offset], sizeof value);
    return value;
  }
};

TEST(Layout, OfPciInfoIs68Bytes) {
  run_alone(kScenario, [] {
    const Nvml nvml = start_nvml();
    Buffer buffer;
    void* to = buffer.bytes.data();
    const nvmlDevice_t device = nvml.device_at(1U);
    EXPECT_EQ(nvml.call("nvmlDeviceGetPciInfo_v3", device, to), NVML_SUCCESS);
    EXPECT_EQ(buffer.written(), 68U);
    EXPECT_STREQ(reinterpret_cast<const char*>(&buffer.bytes[0]), "0000:10:00.0");
    EXPECT_EQ(buffer.at<std::uint32_t>(16), 0U);                 // domain
    EXPECT_EQ(buffer.at<std::uint32_t>(20), 0x10U);              // bus
    EXPECT_EQ(buffer.at<std::uint32_t>(24), 0U);                 // device
    EXPECT_EQ(buffer.at<std::uint32_t>(28) & 0xffffU, 0x10deU);  // the vendor
    EXPECT_STREQ(reinterpret_cast<const char*>(&buffer.bytes[36]), "00000000:10:00.0");

    Buffer remote;
    to = remote.bytes.data();
    EXPECT_EQ(nvml.call("nvmlDeviceGetNvLinkRemotePciInfo_v2", device, 0U, to), NVML_SUCCESS);
    EXPECT_EQ(remote.written(), 68U);
  });
}

// pid at 0, memory at 8, and, from _v2 on, the instances at 16 and 20 of 24 bytes.
TEST(Layout, OfProcessesIs16OldAnd24NewBytes) {
  struct Case {
    const char* name;
    std::size_t bytes;
  };
  run_alone(kScenario, [] {
    const Nvml nvml = start_nvml();
    for (const Case& one : {Case{"nvmlDeviceGetComputeRunningProcesses", 16},
                            Case{"nvmlDeviceGetComputeRunningProcesses_v2", 24},
                            Case{"nvmlDeviceGetComputeRunningProcesses_v3", 24}}) {
      Buffer buffer;
      void* to = buffer.bytes.data();
      unsigned count = 8;
      EXPECT_EQ(nvml.call(one.name, nvml.device_at(0U), &count, to), NVML_SUCCESS);
      EXPECT_EQ(count, 1U);
      EXPECT_EQ(buffer.written(), one.bytes) << one.name;
      EXPECT_EQ(buffer.at<std::uint32_t>(0), 4711U);
      EXPECT_EQ(buffer.at<std::uint64_t>(8), 12345678U);
      if (one.bytes == 24) {
        EXPECT_EQ(buffer.at<std::uint32_t>(16), 0xffffffffU);
        EXPECT_EQ(buffer.at<std::uint32_t>(20), 0xffffffffU);
      }
    }
  });
}

TEST(Layout, OfMemoryAndUtilisation) {
  run_alone(kScenario, [] {
    const Nvml nvml = start_nvml();
    Buffer memory;
    void* to = memory.bytes.data();
    EXPECT_EQ(nvml.call("nvmlDeviceGetMemoryInfo", nvml.device_at(0U), to), NVML_SUCCESS);
    EXPECT_EQ(memory.written(), 24U);
    EXPECT_EQ(memory.at<std::uint64_t>(0),
              memory.at<std::uint64_t>(8) + memory.at<std::uint64_t>(16));
    EXPECT_EQ(memory.at<std::uint64_t>(16), 12345678U);

    Buffer utilisation;
    to = utilisation.bytes.data();
    EXPECT_EQ(nvml.call("nvmlDeviceGetUtilizationRates", nvml.device_at(0U), to), NVML_SUCCESS);
    EXPECT_EQ(utilisation.written(), 8U);
    EXPECT_EQ(utilisation.at<std::uint32_t>(0), 100U);
  });
}

// 40 bytes each: field at 0, type at 24, result at 28, value at 32. Field 91 is the count of links;
// there is no field 9999.
TEST(Layout, OfFieldValuesIs40Bytes) {
  run_alone(kScenario, [] {
    const Nvml nvml = start_nvml();
    Buffer buffer;
    const std::uint32_t fields[] = {91, 9999};
    std::memset(buffer.bytes.data(), 0, 80);
    std::memcpy(&buffer.bytes[0], &fields[0], 4);
    std::memcpy(&buffer.bytes[40], &fields[1], 4);
    void* to = buffer.bytes.data();
    EXPECT_EQ(nvml.call("nvmlDeviceGetFieldValues", nvml.device_at(0U), 2, to), NVML_SUCCESS);
    EXPECT_EQ(buffer.written(), 80U);
    EXPECT_EQ(buffer.at<std::uint32_t>(24), 1U);  // unsigned int
    EXPECT_EQ(buffer.at<std::uint32_t>(28), 0U);  // success
    EXPECT_EQ(buffer.at<std::uint32_t>(32), 12U);
    EXPECT_EQ(buffer.at<std::uint32_t>(40 + 28), 3U);  // not supported
  });
}

}  // namespace
}  // namespace splitbench::standin

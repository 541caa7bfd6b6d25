// What an error of the runtime means to a person. Codes are those of the CUDA runtime's
// documentation, cudaError.
#include "harness/backends/cuda/faults.h"

#include <gtest/gtest.h>

namespace splitbench::cuda {
namespace {

const RuntimeVersions kOldDriver{.runtime = "13.0", .driver = "12.2"};

struct Case {
  int code;
  std::string sentence;
  std::string mend;
};

TEST(Faults, SayWhatIsWrongAndWhatMendsIt) {
  const Case cases[] = {
      {2, "out of memory", "smaller operation"},
      {35, "the driver supports CUDA 12.2, this runtime is 13.0", "newer NVIDIA driver"},
      {46, "may not be used", "nvidia-smi -c 0"},
      {100, "no CUDA device is visible", "CUDA_VISIBLE_DEVICES"},
      {209, "holds no code for this device", "CMAKE_CUDA_ARCHITECTURES"},
      {802, "fabric manager", "nvidia-fabricmanager"},
      {803, "different versions", "restart the node"},
  };
  for (const Case& c : cases) {
    const Fault fault = explain(static_cast<cudaError_t>(c.code), kOldDriver);
    EXPECT_NE(fault.sentence.find(c.sentence), std::string::npos) << fault.sentence;
    EXPECT_NE(fault.mend.find(c.mend), std::string::npos) << fault.mend;
  }
}

TEST(Faults, NoDriverAtAllIsNotATooOldOne) {
  const Fault fault = explain(cudaErrorInsufficientDriver, {.runtime = "13.0", .driver = "0.0"});
  EXPECT_EQ(fault.sentence, "no NVIDIA driver is here");
}

TEST(Faults, TextNamesTheCallTheCodeAndTheMendingLine) {
  EXPECT_EQ(fault_text("cudaMalloc", cudaErrorMemoryAllocation, {"it is full", "empty it"}),
            "cudaMalloc: it is full (2, cudaErrorMemoryAllocation)\nTo mend it: empty it");
}

// An error without an entry still has the runtime's own words.
TEST(Faults, OthersSpeakForThemselves) {
  EXPECT_NE(explain(cudaErrorInvalidValue, kOldDriver).sentence, "");
}

}  // namespace
}  // namespace splitbench::cuda

// The worked cases of product.md (N = 2), to 1e-9 relative, and the model's properties.
#include "model/split_time.h"

#include <gtest/gtest.h>

namespace splitbench {
namespace {

SplitParameters base_case() {
  return {.serial = Seconds(0.8e-3),
          .compute = Seconds(12e-3),
          .efficiency = 0.8,
          .collectives = 4,
          .latency = Seconds(0.03e-3),
          .bytes = Bytes(2e6),
          .bandwidth = BytesPerSecond(10e9),
          .ranks = 2};
}

TEST(SplitTime, WorkedBaseCase) {
  EXPECT_NEAR(split_time(base_case()).value(), 9.22e-3, 9.22e-12);
}

}  // namespace
}  // namespace splitbench

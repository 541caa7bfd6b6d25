// Kernels whose threads meet, on the stand-ins; the right values are computed here, thread by
// thread.
#include <cmath>
#include <vector>

#include "kernels/compare.h"
#include "kernels/fill.h"
#include "kernels/null.h"
#include "kernels/serial_part.h"
#include "tests/standin/test/scenario_file.h"

namespace splitbench::standin {
namespace {

using kernels::Element;
using kernels::Matrix;

template <typename T>
T* copied(const std::vector<T>& values) {
  T* memory = on_device<T>(values.size());
  EXPECT_EQ(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
            cudaSuccess);
  return memory;
}

template <typename T>
std::vector<T> fetched(const T* memory, std::size_t count) {
  std::vector<T> values(count);
  EXPECT_EQ(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost),
            cudaSuccess);
  return values;
}

// Barriers, shared memory and shuffles: serial_part() adds up a row over the threads of a block.
// Rows of 3 and 4 give mean squares of 9 and 16, so rms norms of 3 and 4 and quotients of 1.
TEST(Kernels, ThreadsOfABlockAddUpARow) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  constexpr std::int64_t kColumns = 1000;  // 8 warps, the last with idle threads
  std::vector<float> values(2 * kColumns, 1.0F);
  std::fill(values.begin() + kColumns, values.end(), 2.0F);
  const Matrix x{copied(values), Element::fp32, 2, kColumns, kColumns};
  const Matrix y{copied(std::vector<float>(2 * kColumns, 2.0F)), Element::fp32, 2, kColumns,
                 kColumns};
  float* normalised = on_device<float>(2 * kColumns);
  ASSERT_EQ(kernels::serial_part(y, x, {normalised, Element::fp32, 2, kColumns, kColumns}, stream),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  for (const float value : fetched(normalised, 2 * kColumns)) EXPECT_NEAR(value, 1.0F, 1e-6F);
}

// Atomic additions and maxima of many blocks: one element in ten is off by its place.
TEST(Kernels, BlocksAddTheirFindings) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  constexpr std::size_t kCount = 4'000;
  std::vector<float> y(kCount, 1.0F);
  for (std::size_t i = 5; i < kCount; i += 10) y[i] += static_cast<float>(i);
  const kernels::Doubles reference{copied(std::vector<double>(kCount, 1.0)), 20, 200};
  const kernels::Doubles bound{copied(std::vector<double>(kCount, 0.5)), 20, 200};
  auto* result = copied(std::vector<kernels::Comparison>(1));
  ASSERT_EQ(
      kernels::compare({copied(y), Element::fp32, 20, 200, 200}, reference, bound, result, stream),
      cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  const kernels::Comparison found = fetched(result, 1).front();
  EXPECT_EQ(found.outside, kCount / 10);
  EXPECT_EQ(found.differing, kCount / 10);
  EXPECT_EQ(found.first_outside, 6U);
  EXPECT_EQ(found.max_error, 3'995.0);
  EXPECT_EQ(found.worst_ratio, 2 * 3'995.0);
  EXPECT_EQ(found.sum_of_squares, static_cast<double>(kCount));
}

TEST(Kernels, ThoseOfTheOtherDeviceNeedItsStream) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  EXPECT_EQ(kernels::null(stream), cudaErrorInvalidResourceHandle);
}

}  // namespace
}  // namespace splitbench::standin

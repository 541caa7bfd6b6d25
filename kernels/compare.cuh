// Bodies of compare.h.
#pragma once

#include <math.h>

#include "kernels/compare.h"
#include "kernels/mix.cuh"
#include "kernels/reduce.cuh"
#include "kernels/unit.cuh"

namespace splitbench::kernels {

// |error| / bound; infinite where either is not a number.
__device__ inline double ratio_of(double error, double bound) {
  const double ratio = error == 0 && bound == 0 ? 0.0 : error / bound;
  return ratio >= 0 ? ratio : static_cast<double>(INFINITY);
}

__device__ inline void compare_element(double y, double reference, double bound,
                                       unsigned long long place, Comparison& found) {
  const double error = fabs(y - reference);
  if (!(error <= bound)) {
    found.outside += 1;
    found.first_outside = first_of(found.first_outside, place);
  }
  found.differing += y == reference ? 0 : 1;
  found.worst_ratio = fmax(found.worst_ratio, ratio_of(error, bound));
  found.max_error = fmax(found.max_error, error);  // fmax passes over a NaN
  found.largest_bound = fmax(found.largest_bound, bound);
  found.sum_of_squares += reference * reference;
}

// What the threads of a block found, added to *result.
__device__ inline void add_findings(const Comparison& found, Comparison* result) {
  const auto outside = sum_over_warp(found.outside);
  const auto differing = sum_over_warp(found.differing);
  const auto first_outside = first_of_warp(found.first_outside);
  const double worst_ratio = largest_of_warp(found.worst_ratio);
  const double max_error = largest_of_warp(found.max_error);
  const double largest_bound = largest_of_warp(found.largest_bound);
  const double sum_of_squares = sum_over_warp(found.sum_of_squares);
  if (!is_first_of_warp()) return;
  atomicAdd(&result->outside, outside);
  atomicAdd(&result->differing, differing);
  keep_first(&result->first_outside, first_outside);
  keep_largest(&result->worst_ratio, worst_ratio);
  keep_largest(&result->max_error, max_error);
  keep_largest(&result->largest_bound, largest_bound);
  atomicAdd(&result->sum_of_squares, sum_of_squares);
}

template <typename T>
__global__ void __launch_bounds__(kThreadsOfBlock, 1)
    compare_kernel(Matrix y, Doubles reference, Doubles bound, Comparison* result) {
  Comparison found;
  for_each_unit<1>(y.rows, y.columns, [&](std::int64_t row, std::int64_t column, int) {
    const std::int64_t index = row * y.columns + column;
    compare_element(to_float(*at<T>(y, row, column)), reference.data[index], bound.data[index],
                    static_cast<unsigned long long>(index) + 1, found);
  });
  add_findings(found, result);
}

// The sum of term(bits, index) over all elements, added to *sum.
template <typename T, typename Term>
__device__ void add_over_elements(const Matrix& values, unsigned long long* sum, Term term) {
  constexpr int kWide = kWidest<T>;
  unsigned long long own = 0;
  for_each_unit<kWide>(
      values.rows, values.columns, [&](std::int64_t row, std::int64_t column, int count) {
        const auto unit = load<T, kWide>(at<T>(values, row, column), count);
        const auto index = static_cast<std::uint64_t>(row * values.columns + column);
        for (int i = 0; i < kWide; ++i)
          if (i < count) own += term(bits_of(unit.values[i]), index + i);
      });
  const auto of_warp = sum_over_warp(own);
  if (is_first_of_warp() && of_warp != 0) atomicAdd(sum, of_warp);
}

template <typename T>
__global__ void __launch_bounds__(kThreadsOfBlock)
    count_poison_kernel(Matrix values, unsigned long long* count) {
  constexpr std::uint32_t kPoison = sizeof(T) == 4 ? 0xffffffffU : 0xffffU;
  add_over_elements<T>(values, count, [](std::uint32_t bits, std::uint64_t) {
    return static_cast<unsigned long long>(bits == kPoison ? 1 : 0);
  });
}

template <typename T>
__global__ void __launch_bounds__(kThreadsOfBlock)
    checksum_kernel(Matrix values, unsigned long long* sum) {
  add_over_elements<T>(values, sum, [](std::uint32_t bits, std::uint64_t index) {
    return static_cast<unsigned long long>(mix64(bits + mix64(index)));
  });
}

}  // namespace splitbench::kernels

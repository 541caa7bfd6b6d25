// Body of cast.h.
#pragma once

#include "cast.h"
#include "unit.cuh"

namespace splitbench::kernels {

template <typename From, typename To>
__global__ void __launch_bounds__(kThreadsOfBlock) cast_kernel(Matrix from, Matrix to) {
  constexpr int kWide = 4;  // 16 bytes of the wider type
  for_each_unit<kWide>(to.rows, to.columns, [&](std::int64_t row, std::int64_t column, int count) {
    const auto unit = load<From, kWide>(at<From>(from, row, column), count);
    Unit<To, kWide> rounded;
    for (int i = 0; i < kWide; ++i) rounded.values[i] = from_float<To>(to_float(unit.values[i]));
    store<To, kWide>(at<To>(to, row, column), count, rounded);
  });
}

}  // namespace splitbench::kernels

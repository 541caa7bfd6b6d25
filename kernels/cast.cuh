// Body of cast.h.
#pragma once

#include "kernels/cast.h"
#include "kernels/unit.cuh"

namespace splitbench::kernels {

inline constexpr int kCastUnit = 4;  // 16 bytes of the widest type

template <typename From, typename To>
__global__ void __launch_bounds__(kThreadsOfBlock) cast_kernel(Matrix from, Matrix to) {
  for_each_unit<kCastUnit>(
      to.rows, to.columns, [&](std::int64_t row, std::int64_t column, int count) {
        const auto unit = load<From, kCastUnit>(at<From>(from, row, column), count);
        Unit<To, kCastUnit> rounded;
        for (int i = 0; i < kCastUnit; ++i)
          rounded.values[i] = from_float<To>(to_float(unit.values[i]));
        store<To, kCastUnit>(at<To>(to, row, column), count, rounded);
      });
}

}  // namespace splitbench::kernels

// Body of bias_relu.h.
#pragma once

#include "kernels/bias_relu.h"
#include "kernels/unit.cuh"

namespace splitbench::kernels {

template <typename T>
__global__ void __launch_bounds__(kThreadsOfBlock) bias_relu_kernel(Matrix values, const T* bias) {
  constexpr int kWide = kWidest<T>;
  for_each_unit<kWide>(
      values.rows, values.columns, [&](std::int64_t row, std::int64_t column, int count) {
        T* const place = at<T>(values, row, column);
        Unit<T, kWide> unit = load<T, kWide>(place, count);
        const Unit<T, kWide> shift = load<T, kWide>(bias + column, bias == nullptr ? 0 : count);
        for (int i = 0; i < kWide; ++i)
          unit.values[i] =
              from_float<T>(relu(to_float(unit.values[i]) + to_float(shift.values[i])));
        store<T, kWide>(place, count, unit);
      });
}

}  // namespace splitbench::kernels

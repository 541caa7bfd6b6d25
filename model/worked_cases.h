// The worked cases of the documentation: one base case, and one change at a time. They are printed
// by `splitbench predict --cases` and are tests. Source: the documentation's worked cases
// (docs/formulas.md).
#pragma once

#include <array>
#include <string_view>

#include "model/split_time.h"

namespace splitbench {

struct WorkedCase {
  std::string_view change;
  SplitParameters parameters;
};

constexpr SplitParameters worked_base_case() {
  return {.serial = Seconds(0.8e-3),
          .compute = Seconds(12e-3),
          .efficiency = 0.8,
          .collectives = 4,
          .latency = Seconds(0.03e-3),
          .bytes = Bytes(2e6),
          .bandwidth = BytesPerSecond(10e9),
          .ranks = 2};
}

constexpr std::array<WorkedCase, 6> worked_cases() {
  const auto changed = [](auto member, auto value) {
    SplitParameters parameters = worked_base_case();
    parameters.*member = value;
    return parameters;
  };
  return {{
      {"none", worked_base_case()},
      {"C = 1 ms", changed(&SplitParameters::compute, Seconds(1e-3))},
      {"B = 1 GB/s", changed(&SplitParameters::bandwidth, BytesPerSecond(1e9))},
      {"B = 50 GB/s", changed(&SplitParameters::bandwidth, BytesPerSecond(50e9))},
      {"S = 100 ms", changed(&SplitParameters::serial, Seconds(100e-3))},
      {"eta = 0.5", changed(&SplitParameters::efficiency, 0.5)},
  }};
}

}  // namespace splitbench

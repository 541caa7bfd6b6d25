// The exact example that every backend must reproduce bit for bit: x 1x2, A 2x4, B 4x2, two ranks.
// Source: docs/formulas.md "The operation". Partial outputs [1,1] and [-4,8], sum [-3,9].
#pragma once

#include <cstdint>

#include "model/mlp.h"

namespace splitbench {

struct ExactExample {
  Matrix<std::int64_t> x{1, 2, {1, 1}};
  Matrix<std::int64_t> a{2, 4, {1, 0, 0, 3, 0, 1, 0, 1}};
  Matrix<std::int64_t> b{4, 2, {1, 0, 0, 1, 5, 7, -1, 2}};
  int ranks = 2;
};

}  // namespace splitbench

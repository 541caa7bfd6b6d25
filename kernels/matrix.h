// A view of a row-major matrix in device memory: element (row, column) is at
// data[row * leading + column], leading >= columns, in elements. Owns nothing.
#pragma once

#include <cstdint>

#include "element.h"

namespace splitbench::kernels {

struct Matrix {
  void* data = nullptr;
  Element element = Element::fp32;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t leading = 0;
};

}  // namespace splitbench::kernels

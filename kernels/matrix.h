// A view of a row-major matrix in device memory: element (row, column) is at
// data[row * leading + column], leading >= columns, in elements. Owns nothing.
//
// Every launcher takes any size, alignment and leading dimension, queues on its stream, does not
// wait, and returns the launch's error: cudaErrorInvalidValue, with nothing launched, where views
// disagree in shape or hold a null pointer; cudaSuccess for an empty matrix.
#pragma once

#include <cstdint>

#include "kernels/element.h"

namespace splitbench::kernels {

struct Matrix {
  void* data = nullptr;
  Element element = Element::fp32;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t leading = 0;
};

}  // namespace splitbench::kernels

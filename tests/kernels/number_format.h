// The three ways that an element is stored, as IEEE 754 binary formats, worked out in float64 and
// whole numbers: what kernels' roundings are checked against.
#pragma once

#include <cstdint>

#include "kernels/element.h"

namespace splitbench::kernels {

// The bits of `value` in the format: to nearest, ties to even; NaN becomes a quiet NaN.
std::uint32_t encode(Element element, double value);

double decode(Element element, std::uint32_t bits);

}  // namespace splitbench::kernels

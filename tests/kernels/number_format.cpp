#include "tests/kernels/number_format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace splitbench::kernels {
namespace {

struct Format {
  int exponent_bits;
  int precision;  // significand bits, the hidden one included

  int lowest_exponent() const { return 2 - (1 << (exponent_bits - 1)); }
  std::uint32_t infinity() const { return ((1U << exponent_bits) - 1) << (precision - 1); }
  std::uint32_t sign() const { return 1U << (exponent_bits + precision - 1); }
};

Format format_of(Element element) {
  switch (element) {
    case Element::fp32:
      return {.exponent_bits = 8, .precision = 24};
    case Element::fp16:
      return {.exponent_bits = 5, .precision = 11};
    default:
      return {.exponent_bits = 8, .precision = 8};
  }
}

}  // namespace

std::uint32_t encode(Element element, double value) {
  const Format format = format_of(element);
  const std::uint32_t sign = std::signbit(value) ? format.sign() : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return format.infinity() | 1U << (format.precision - 2);
  if (std::isinf(value)) return sign | format.infinity();
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), format.lowest_exponent());
  // The significand as a whole number: nearbyint rounds to nearest, ties to even. One that rounds
  // up to 2^precision carries into the exponent by itself.
  const auto significand = static_cast<std::uint64_t>(
      std::nearbyint(std::ldexp(magnitude, format.precision - 1 - exponent)));
  const auto field = static_cast<std::uint64_t>(exponent - format.lowest_exponent());
  const std::uint64_t bits = (field << (format.precision - 1)) + significand;
  return sign | static_cast<std::uint32_t>(std::min<std::uint64_t>(bits, format.infinity()));
}

double decode(Element element, std::uint32_t bits) {
  const Format format = format_of(element);
  const double sign = (bits & format.sign()) != 0 ? -1.0 : 1.0;
  const std::uint32_t magnitude = bits & (format.sign() - 1);
  if (magnitude > format.infinity()) return std::numeric_limits<double>::quiet_NaN();
  if (magnitude == format.infinity()) return sign * std::numeric_limits<double>::infinity();
  const std::uint32_t hidden = 1U << (format.precision - 1);
  const std::uint32_t field = magnitude / hidden;
  const std::uint32_t significand = magnitude % hidden + (field != 0 ? hidden : 0);
  const int exponent = format.lowest_exponent() + std::max(static_cast<int>(field), 1) - 1;
  return sign * std::ldexp(significand, exponent - format.precision + 1);
}

}  // namespace splitbench::kernels

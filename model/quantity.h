// Quantities as types: a time is not a size, and a rate is neither.
//
// Every quantity holds one double in its base unit: seconds, bytes, bytes per second,
// floating-point operations. Only the combinations with a meaning compile; the rest do not.
#pragma once

#include <compare>

namespace splitbench {

// A number with a unit. `Unit` is a tag type that is never instantiated.
template <class Unit>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double base_units) : value_(base_units) {}

  // The number in base units.
  constexpr double value() const { return value_; }

  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity(a.value_ + b.value_);
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity(a.value_ - b.value_);
  }
  friend constexpr Quantity operator-(Quantity a) { return Quantity(-a.value_); }
  friend constexpr Quantity operator*(Quantity a, double k) { return Quantity(a.value_ * k); }
  friend constexpr Quantity operator*(double k, Quantity a) { return Quantity(a.value_ * k); }
  friend constexpr Quantity operator/(Quantity a, double k) { return Quantity(a.value_ / k); }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value_ / b.value_; }
  friend constexpr auto operator<=>(Quantity a,
                                    Quantity b) = default;  // NOLINT(modernize-use-nullptr)

  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }

 private:
  double value_ = 0.0;
};

using Seconds = Quantity<struct SecondUnit>;
using Bytes = Quantity<struct ByteUnit>;
using BytesPerSecond = Quantity<struct BytePerSecondUnit>;
using Flops = Quantity<struct FlopUnit>;  // a count of floating-point operations, not a rate
using FlopsPerSecond = Quantity<struct FlopPerSecondUnit>;

constexpr Seconds operator/(Bytes size, BytesPerSecond rate) {
  return Seconds(size.value() / rate.value());
}
constexpr Seconds operator/(Flops work, FlopsPerSecond rate) {
  return Seconds(work.value() / rate.value());
}
constexpr BytesPerSecond operator/(Bytes size, Seconds time) {
  return BytesPerSecond(size.value() / time.value());
}

}  // namespace splitbench

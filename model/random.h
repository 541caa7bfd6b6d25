// Seeded numbers that are the same on every platform and for every standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace splitbench {

// SplitMix64's finaliser: every input bit changes half of the output bits on average.
// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// A stream of numbers from a seed: SplitMix64.
class Random {
 public:
  constexpr explicit Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() { return mix64(state_ += 0x9e3779b97f4a7c15ULL); }

  // A whole number in [0, bound), every one equally likely; bound > 0.
  constexpr std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t unfair = (0 - bound) % bound;  // 2^64 mod bound
    for (;;) {
      const std::uint64_t draw = next();
      if (draw >= unfair) return draw % bound;
    }
  }

  // In [0, 1), with 53 bits.
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // Fisher-Yates: every order equally likely.
  template <class Sequence>
  constexpr void shuffle(Sequence& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace splitbench

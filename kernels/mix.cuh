// Whole numbers stirred: every input bit changes half of the output bits on average.
#pragma once

#include <cstdint>

namespace splitbench::kernels {

// SplitMix64's finaliser (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
// OOPSLA 2014).
__device__ inline std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// MurmurHash3's 32-bit finaliser (Appleby, public domain, MurmurHash3.cpp, fmix32).
__device__ inline std::uint32_t mix32(std::uint32_t h) {
  h = (h ^ (h >> 16)) * 0x85ebca6bU;
  h = (h ^ (h >> 13)) * 0xc2b2ae35U;
  return h ^ (h >> 16);
}

}  // namespace splitbench::kernels

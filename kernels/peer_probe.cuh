// Bodies of peer_probe.h.
#pragma once

#include "kernels/device_intrinsics.cuh"
#include "kernels/mix.cuh"
#include "kernels/peer_probe.h"
#include "kernels/reduce.cuh"
#include "kernels/unit.cuh"

namespace splitbench::kernels {

__device__ inline std::uint32_t peer_pattern(std::uint32_t nonce, std::int64_t index) {
  return mix32(nonce + static_cast<std::uint32_t>(index));
}

__global__ void poison_kernel(std::uint32_t* words, std::int64_t count, std::uint32_t poison) {
  for_each_index(count, [&](std::int64_t index) { words[index] = poison; });
}

__global__ void peer_store_kernel(std::uint32_t* words, std::int64_t count, std::uint32_t nonce) {
  for_each_index(count, [&](std::int64_t index) { words[index] = peer_pattern(nonce, index); });
  fence_system();
}

// What one thread found in word `index`, which may lie in a guard.
__device__ inline void look_at(std::uint32_t word, std::int64_t index, std::int64_t words,
                               std::uint32_t nonce, std::uint32_t poison, PeerFindings& found) {
  if (index < 0 || index >= words) {
    found.guards_broken += word != poison ? 1 : 0;
  } else if (word != peer_pattern(nonce, index)) {
    found.wrong += 1;
    found.still_poison += word == poison ? 1 : 0;
    found.first_wrong = first_of(found.first_wrong, static_cast<unsigned long long>(index) + 1);
  }
}

__global__ void peer_look_kernel(const std::uint32_t* guarded, std::int64_t words,
                                 std::uint32_t nonce, std::uint32_t poison,
                                 PeerFindings* findings) {
  constexpr auto kGuard = static_cast<std::int64_t>(kGuardWords);
  PeerFindings found;
  for_each_index(words + 2 * kGuard, [&](std::int64_t place) {
    look_at(guarded[place], place - kGuard, words, nonce, poison, found);
  });
  const auto wrong = sum_over_warp(found.wrong);
  const auto still_poison = sum_over_warp(found.still_poison);
  const auto guards_broken = sum_over_warp(found.guards_broken);
  const auto first_wrong = first_of_warp(found.first_wrong);
  if (!is_first_of_warp() || wrong + guards_broken == 0) return;
  atomicAdd(&findings->wrong, wrong);
  atomicAdd(&findings->still_poison, still_poison);
  atomicAdd(&findings->guards_broken, guards_broken);
  keep_first(&findings->first_wrong, first_wrong);
}

}  // namespace splitbench::kernels

// Whether what one device writes into another's memory arrives. The writer stores by its
// multiprocessors (not by a copy engine); the owner looks, never the writer.
//
// Word i of a buffer of 32-bit words is mix32(nonce + i); guards of `kGuardWords` words before and
// behind must keep the owner's poison.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace splitbench::kernels {

inline constexpr std::size_t kGuardWords = 64;

struct PeerFindings {
  unsigned long long wrong = 0;         // words that do not hold the pattern
  unsigned long long first_wrong = 0;   // 1 + index of the first; 0: none
  unsigned long long still_poison = 0;  // of these, words that hold the poison: nothing arrived
  unsigned long long guards_broken = 0;
};

// On the owner: poison for the buffer and its guards (words + 2 kGuardWords from `guarded`).
cudaError_t poison_guarded(std::uint32_t* guarded, std::size_t words, std::uint32_t poison,
                           cudaStream_t stream);

// On the writer: words[i] = pattern, then a system-wide fence. `words` is the peer's memory.
cudaError_t peer_store(std::uint32_t* words, std::size_t count, std::uint32_t nonce,
                       cudaStream_t stream);

// On the owner: looks at its own memory. `findings` was zeroed by the caller.
cudaError_t peer_look(const std::uint32_t* guarded, std::size_t words, std::uint32_t nonce,
                      std::uint32_t poison, PeerFindings* findings, cudaStream_t stream);

}  // namespace splitbench::kernels

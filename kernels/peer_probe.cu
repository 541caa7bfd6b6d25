#include "kernels/launch.cuh"
#include "kernels/peer_probe.cuh"

namespace splitbench::kernels {

cudaError_t poison_guarded(std::uint32_t* guarded, std::size_t words, std::uint32_t poison,
                           cudaStream_t stream) {
  if (guarded == nullptr) return cudaErrorInvalidValue;
  const auto count = static_cast<std::int64_t>(words + 2 * kGuardWords);
  return launch(poison_kernel, blocks_for(count, kThreadsOfLine, kMostBlocks), kThreadsOfLine,
                stream, guarded, count, poison);
}

cudaError_t peer_store(std::uint32_t* words, std::size_t count, std::uint32_t nonce,
                       cudaStream_t stream) {
  if (words == nullptr) return cudaErrorInvalidValue;
  if (count == 0) return cudaSuccess;
  const auto stored = static_cast<std::int64_t>(count);
  return launch(peer_store_kernel, blocks_for(stored, kThreadsOfLine, kMostBlocks), kThreadsOfLine,
                stream, words, stored, nonce);
}

cudaError_t peer_look(const std::uint32_t* guarded, std::size_t words, std::uint32_t nonce,
                      std::uint32_t poison, PeerFindings* findings, cudaStream_t stream) {
  if (guarded == nullptr || findings == nullptr) return cudaErrorInvalidValue;
  const auto looked_at = static_cast<std::int64_t>(words);
  const auto count = static_cast<std::int64_t>(words + 2 * kGuardWords);
  return launch(peer_look_kernel, blocks_for(count, kThreadsOfLine, kMostBlocks), kThreadsOfLine,
                stream, guarded, looked_at, nonce, poison, findings);
}

}  // namespace splitbench::kernels

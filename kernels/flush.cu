#include "kernels/flush.cuh"
#include "kernels/launch.cuh"

namespace splitbench::kernels {

cudaError_t flush(void* buffer, std::size_t bytes, cudaStream_t stream) {
  const auto misplaced = reinterpret_cast<std::uintptr_t>(buffer) % sizeof(FlushUnit);
  if (buffer == nullptr || misplaced != 0) return cudaErrorInvalidValue;
  const auto count = static_cast<std::int64_t>(bytes / sizeof(FlushUnit));
  if (count == 0) return cudaSuccess;
  auto* const units = static_cast<FlushUnit*>(buffer);
  const unsigned blocks = blocks_for(count, kThreadsOfLine, kMostBlocks);
  const cudaError_t written =
      launch(flush_write_kernel, blocks, kThreadsOfLine, stream, units, count);
  if (written != cudaSuccess) return written;
  return launch(flush_read_kernel, blocks, kThreadsOfLine, stream, units, count);
}

}  // namespace splitbench::kernels

#include "kernels/launch.cuh"
#include "kernels/reference.cuh"

namespace splitbench::kernels {
namespace {

std::int64_t size_of(const Doubles& matrix) {
  return matrix.rows * matrix.columns;
}

bool is_sound(const Doubles& matrix) {
  return matrix.rows >= 0 && matrix.columns >= 0 &&
         (matrix.data != nullptr || size_of(matrix) == 0);
}

template <typename Left>
cudaError_t product(const Left& left, const Matrix& right, Factors factors, const Doubles& result,
                    cudaStream_t stream) {
  const bool fits =
      left.columns == right.rows && result.rows == left.rows && result.columns == right.columns;
  if (!is_sound(left) || !is_sound(right) || !is_sound(result) || !fits)
    return cudaErrorInvalidValue;
  if (size_of(result) == 0) return cudaSuccess;
  const dim3 grid(blocks_for(result.columns, kTile, kMostBlocks),
                  blocks_for(result.rows, kTile, kMostBlocks));
  const dim3 block(kTileThreads, kTileThreads);
  return launch(reference_product_kernel<Left>, grid, block, stream, left, right, factors, result);
}

}  // namespace

cudaError_t reference_product(const Matrix& left, const Matrix& right, Factors factors,
                              const Doubles& result, cudaStream_t stream) {
  return product(left, right, factors, result, stream);
}

cudaError_t reference_product(const Doubles& left, const Matrix& right, Factors factors,
                              const Doubles& result, cudaStream_t stream) {
  return product(left, right, factors, result, stream);
}

cudaError_t reference_relu(const Doubles& values, cudaStream_t stream) {
  if (!is_sound(values)) return cudaErrorInvalidValue;
  if (size_of(values) == 0) return cudaSuccess;
  const unsigned blocks = blocks_for(size_of(values), kThreadsOfLine, kMostBlocks);
  return launch(reference_relu_kernel, blocks, kThreadsOfLine, stream, values);
}

}  // namespace splitbench::kernels

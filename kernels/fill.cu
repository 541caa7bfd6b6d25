#include "kernels/fill.cuh"
#include "kernels/launch.cuh"

namespace splitbench::kernels {

cudaError_t fill_normal(const Matrix& matrix, std::uint64_t key, Origin origin, float scale,
                        cudaStream_t stream) {
  if (!is_sound(matrix)) return cudaErrorInvalidValue;
  if (is_empty(matrix)) return cudaSuccess;
  return with_type_of(matrix.element, [&](auto zero) {
    using T = decltype(zero);
    return launch(fill_normal_kernel<T>, grid_of_units(matrix, kWidest<T>), block_of_units(),
                  stream, matrix, key, origin, scale);
  });
}

cudaError_t fill_integers(const Matrix& matrix, std::uint64_t key, Origin origin,
                          std::uint32_t sparsity, cudaStream_t stream) {
  if (!is_sound(matrix) || sparsity == 0) return cudaErrorInvalidValue;
  if (is_empty(matrix)) return cudaSuccess;
  return with_type_of(matrix.element, [&](auto zero) {
    using T = decltype(zero);
    return launch(fill_integers_kernel<T>, grid_of_units(matrix, kWidest<T>), block_of_units(),
                  stream, matrix, key, origin, sparsity);
  });
}

}  // namespace splitbench::kernels

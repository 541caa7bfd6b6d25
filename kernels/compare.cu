#include "kernels/compare.cuh"
#include "kernels/launch.cuh"

namespace splitbench::kernels {

cudaError_t compare(const Matrix& y, const Doubles& reference, const Doubles& bound,
                    Comparison* result, cudaStream_t stream) {
  const bool alike = same_shape(y, reference) && same_shape(y, bound);
  if (!is_sound(y) || !alike || result == nullptr) return cudaErrorInvalidValue;
  if (is_empty(y)) return cudaSuccess;
  if (reference.data == nullptr || bound.data == nullptr) return cudaErrorInvalidValue;
  return with_type_of(y.element, [&](auto zero) {
    using T = decltype(zero);
    return launch(compare_kernel<T>, grid_of_units(y, 1), block_of_units(), stream, y, reference,
                  bound, result);
  });
}

cudaError_t count_poison(const Matrix& values, unsigned long long* count, cudaStream_t stream) {
  if (!is_sound(values) || count == nullptr) return cudaErrorInvalidValue;
  if (is_empty(values)) return cudaSuccess;
  return with_type_of(values.element, [&](auto zero) {
    using T = decltype(zero);
    return launch(count_poison_kernel<T>, grid_of_units(values, kWidest<T>), block_of_units(),
                  stream, values, count);
  });
}

cudaError_t checksum(const Matrix& values, unsigned long long* sum, cudaStream_t stream) {
  if (!is_sound(values) || sum == nullptr) return cudaErrorInvalidValue;
  if (is_empty(values)) return cudaSuccess;
  return with_type_of(values.element, [&](auto zero) {
    using T = decltype(zero);
    return launch(checksum_kernel<T>, grid_of_units(values, kWidest<T>), block_of_units(), stream,
                  values, sum);
  });
}

}  // namespace splitbench::kernels

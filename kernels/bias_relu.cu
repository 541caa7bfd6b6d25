#include "kernels/bias_relu.cuh"
#include "kernels/launch.cuh"

namespace splitbench::kernels {

cudaError_t bias_relu(const Matrix& values, const void* bias, cudaStream_t stream) {
  if (!is_sound(values)) return cudaErrorInvalidValue;
  if (is_empty(values)) return cudaSuccess;
  return with_type_of(values.element, [&](auto zero) {
    using T = decltype(zero);
    return launch(bias_relu_kernel<T>, grid_of_units(values, kWidest<T>), block_of_units(), stream,
                  values, static_cast<const T*>(bias));
  });
}

}  // namespace splitbench::kernels

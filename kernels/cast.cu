#include "kernels/cast.cuh"
#include "kernels/launch.cuh"

namespace splitbench::kernels {
namespace {

template <typename From>
cudaError_t cast_from(const Matrix& from, const Matrix& to, cudaStream_t stream) {
  return with_type_of(to.element, [&](auto zero) {
    using To = decltype(zero);
    return launch(cast_kernel<From, To>, grid_of_units(to, kCastUnit), block_of_units(), stream,
                  from, to);
  });
}

}  // namespace

cudaError_t cast(const Matrix& from, const Matrix& to, cudaStream_t stream) {
  if (!is_sound(from) || !is_sound(to) || !same_shape(from, to)) return cudaErrorInvalidValue;
  if (is_empty(from)) return cudaSuccess;
  switch (from.element) {
    case Element::fp32:
      return cast_from<float>(from, to, stream);
    case Element::fp16:
      return cast_from<__half>(from, to, stream);
    case Element::bf16:
      return cast_from<__nv_bfloat16>(from, to, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace splitbench::kernels

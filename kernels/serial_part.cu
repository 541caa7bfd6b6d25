#include "kernels/launch.cuh"
#include "kernels/serial_part.cuh"

namespace splitbench::kernels {
namespace {

// As many threads as a row has units, in whole warps.
unsigned threads_of_row(std::int64_t columns, int unit) {
  return kWarp * blocks_for(columns, std::int64_t{kWarp} * unit, kMostWarpsOfRow);
}

}  // namespace

cudaError_t serial_part(const Matrix& y, const Matrix& x, const Matrix& normalised,
                        cudaStream_t stream) {
  const bool alike = same_shape(y, x) && same_shape(x, normalised) && y.element == x.element &&
                     x.element == normalised.element;
  if (!is_sound(y) || !is_sound(x) || !is_sound(normalised) || !alike) return cudaErrorInvalidValue;
  if (is_empty(x)) return cudaSuccess;
  return with_type_of(x.element, [&](auto zero) {
    using T = decltype(zero);
    return launch(serial_part_kernel<T>, blocks_for(x.rows, 1, kMostBlocks),
                  threads_of_row(x.columns, kWidest<T>), stream, y, x, normalised);
  });
}

}  // namespace splitbench::kernels

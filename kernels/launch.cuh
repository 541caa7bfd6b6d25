// What launchers share: grids, the type behind an element, the answer to a launch. Host code.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "kernels/matrix.h"
#include "kernels/unit.cuh"

namespace splitbench::kernels {

// Kernels stride over what a grid does not cover, so a grid needs to fill a device, not more.
inline constexpr std::int64_t kMostBlocks = 4096;
inline constexpr int kThreadsOfLine = 256;  // the block of kernels that use for_each_index

inline unsigned blocks_for(std::int64_t items, std::int64_t items_of_block, std::int64_t most) {
  return static_cast<unsigned>(std::min((items + items_of_block - 1) / items_of_block, most));
}

// For kernels that use for_each_unit, with blocks of kUnitsOfBlock x kRowsOfBlock.
inline dim3 grid_of_units(const Matrix& matrix, int unit) {
  const unsigned across = blocks_for(matrix.columns, std::int64_t{kUnitsOfBlock} * unit, 64);
  return {across, blocks_for(matrix.rows, kRowsOfBlock, kMostBlocks / across)};
}

inline dim3 block_of_units() {
  return {kUnitsOfBlock, kRowsOfBlock};
}

inline bool is_empty(const Matrix& matrix) {
  return matrix.rows == 0 || matrix.columns == 0;
}

inline bool is_sound(const Matrix& matrix) {
  return matrix.rows >= 0 && matrix.columns >= 0 && matrix.leading >= matrix.columns &&
         (matrix.data != nullptr || is_empty(matrix));
}

template <typename A, typename B>
bool same_shape(const A& a, const B& b) {
  return a.rows == b.rows && a.columns == b.columns;
}

// Launches, and says what became of this launch alone: <<<>>> would leave that to cudaGetLastError,
// which also returns what another call left there, such as a query's cudaErrorNotReady.
template <typename... Parameters, typename... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, cudaStream_t stream,
                   Arguments... arguments) {
  cudaLaunchConfig_t how{};
  how.gridDim = grid;
  how.blockDim = block;
  how.stream = stream;
  return cudaLaunchKernelEx(&how, kernel, arguments...);
}

// launch_for(T{}) with the type that `element` stands for.
template <typename LaunchFor>
cudaError_t with_type_of(Element element, LaunchFor launch_for) {
  switch (element) {
    case Element::fp32:
      return launch_for(float{});
    case Element::fp16:
      return launch_for(__half{});
    case Element::bf16:
      return launch_for(__nv_bfloat16{});
  }
  return cudaErrorInvalidValue;
}

}  // namespace splitbench::kernels

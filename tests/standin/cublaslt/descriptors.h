// What stands behind cuBLASLt's opaque handles.
#pragma once

#include <cublasLt.h>

#include <cstddef>
#include <cstdint>

#include "tests/standin/cublaslt/attribute.h"

namespace splitbench::standin {

// cublasLtMatmulDesc_t. Defaults as cublasLt.h states them.
struct MatmulDescription {
  std::int32_t compute_type = CUBLAS_COMPUTE_32F;
  std::int32_t scale_type = CUDA_R_32F;
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transpose_a = CUBLAS_OP_N;
  std::int32_t transpose_b = CUBLAS_OP_N;
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  std::int32_t bias_type = -1;  // that of D
};

// cublasLtMatrixLayout_t.
struct MatrixLayout {
  std::uint32_t type = CUDA_R_32F;
  std::int32_t order = CUBLASLT_ORDER_COL;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::int64_t leading = 0;
  std::int32_t batches = 1;
  std::int64_t batch_stride = 0;
};

// cublasLtMatmulPreference_t.
struct Preference {
  std::uint32_t search_mode = CUBLASLT_SEARCH_BEST_FIT;
  std::uint64_t workspace_bytes = 0;
  std::uint32_t reduction_schemes = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::uint32_t alignment_a = 256;
  std::uint32_t alignment_b = 256;
  std::uint32_t alignment_c = 256;
  std::uint32_t alignment_d = 256;
  float most_waves = 0;
  std::uint64_t implementations = ~std::uint64_t{0};
};

// cublasLtMatmulAlgo_t: 64 bytes of the caller's, so this must fit in them.
struct AlgorithmConfiguration {
  std::int32_t id = 0;
  std::uint32_t tile = CUBLASLT_MATMUL_TILE_UNDEFINED;
  std::int32_t splits = 1;
  std::uint32_t reduction_scheme = CUBLASLT_REDUCTION_SCHEME_NONE;
  std::uint32_t swizzling = 0;
  std::uint32_t custom_option = 0;
  std::uint32_t stages = CUBLASLT_MATMUL_STAGES_UNDEFINED;
  std::uint16_t inner_shape = 0;
  std::uint16_t cluster_shape = 0;
};
static_assert(sizeof(AlgorithmConfiguration) <= sizeof(cublasLtMatmulAlgo_t));

Field field(MatmulDescription& description, cublasLtMatmulDescAttributes_t attribute);
Field field(MatrixLayout& layout, cublasLtMatrixLayoutAttribute_t attribute);
Field field(Preference& preference, cublasLtMatmulPreferenceAttributes_t attribute);
Field field(AlgorithmConfiguration& algorithm, cublasLtMatmulAlgoConfigAttributes_t attribute);

inline MatmulDescription* description(cublasLtMatmulDesc_t handle) {
  return reinterpret_cast<MatmulDescription*>(handle);
}
inline MatrixLayout* layout(cublasLtMatrixLayout_t handle) {
  return reinterpret_cast<MatrixLayout*>(handle);
}
inline Preference* preference(cublasLtMatmulPreference_t handle) {
  return reinterpret_cast<Preference*>(handle);
}

}  // namespace splitbench::standin

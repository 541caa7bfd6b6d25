#include "tests/standin/cublaslt/descriptors.h"

namespace splitbench::standin {

Field field(MatmulDescription& description, cublasLtMatmulDescAttributes_t attribute) {
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
      return field_of(description.compute_type);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
      return field_of(description.scale_type);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE:
      return field_of(description.pointer_mode);
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return field_of(description.transpose_a);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return field_of(description.transpose_b);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return field_of(description.epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return field_of(description.bias);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return field_of(description.bias_type);
    default:
      return {};
  }
}

Field field(MatrixLayout& layout, cublasLtMatrixLayoutAttribute_t attribute) {
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE:
      return field_of(layout.type);
    case CUBLASLT_MATRIX_LAYOUT_ORDER:
      return field_of(layout.order);
    case CUBLASLT_MATRIX_LAYOUT_ROWS:
      return field_of(layout.rows);
    case CUBLASLT_MATRIX_LAYOUT_COLS:
      return field_of(layout.columns);
    case CUBLASLT_MATRIX_LAYOUT_LD:
      return field_of(layout.leading);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return field_of(layout.batches);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return field_of(layout.batch_stride);
    default:
      return {};
  }
}

Field field(Preference& preference, cublasLtMatmulPreferenceAttributes_t attribute) {
  switch (attribute) {
    case CUBLASLT_MATMUL_PREF_SEARCH_MODE:
      return field_of(preference.search_mode);
    case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
      return field_of(preference.workspace_bytes);
    case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
      return field_of(preference.reduction_schemes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
      return field_of(preference.alignment_a);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
      return field_of(preference.alignment_b);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
      return field_of(preference.alignment_c);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
      return field_of(preference.alignment_d);
    case CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT:
      return field_of(preference.most_waves);
    case CUBLASLT_MATMUL_PREF_IMPL_MASK:
      return field_of(preference.implementations);
    default:
      return {};
  }
}

Field field(AlgorithmConfiguration& algorithm, cublasLtMatmulAlgoConfigAttributes_t attribute) {
  switch (attribute) {
    case CUBLASLT_ALGO_CONFIG_ID:
      return field_of(algorithm.id);
    case CUBLASLT_ALGO_CONFIG_TILE_ID:
      return field_of(algorithm.tile);
    case CUBLASLT_ALGO_CONFIG_SPLITK_NUM:
      return field_of(algorithm.splits);
    case CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME:
      return field_of(algorithm.reduction_scheme);
    case CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING:
      return field_of(algorithm.swizzling);
    case CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION:
      return field_of(algorithm.custom_option);
    case CUBLASLT_ALGO_CONFIG_STAGES_ID:
      return field_of(algorithm.stages);
    case CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID:
      return field_of(algorithm.inner_shape);
    case CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID:
      return field_of(algorithm.cluster_shape);
    default:
      return {};
  }
}

}  // namespace splitbench::standin

#include "tests/standin/cublaslt/problem.h"

namespace splitbench::standin {
namespace {

MatrixView view_of(const MatrixLayout& layout) {
  return {.data = nullptr,
          .type = static_cast<cudaDataType_t>(layout.type),
          .rows = static_cast<std::int64_t>(layout.rows),
          .columns = static_cast<std::int64_t>(layout.columns),
          .leading = layout.leading,
          .row_major = layout.order == CUBLASLT_ORDER_ROW};
}

bool is_supported(const MatrixLayout& layout) {
  return element_bytes(static_cast<cudaDataType_t>(layout.type)) != 0 && layout.batches == 1 &&
         (layout.order == CUBLASLT_ORDER_COL || layout.order == CUBLASLT_ORDER_ROW);
}

bool has_room(const MatrixView& view) {
  return view.rows > 0 && view.columns > 0 &&
         view.leading >= (view.row_major ? view.columns : view.rows);
}

// Types that cublasLtMatmul's documentation lists together.
bool types_fit(const MatmulDescription& description, const Product& product) {
  const cudaDataType_t from = product.a.type;
  const cudaDataType_t to = product.d.type;
  if (product.b.type != from || product.c.type != to) return false;
  switch (description.compute_type) {
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      return description.scale_type == CUDA_R_32F && from != CUDA_R_64F &&
             (to == from || to == CUDA_R_32F);
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return description.scale_type == CUDA_R_32F && from == CUDA_R_32F && to == CUDA_R_32F;
    case CUBLAS_COMPUTE_64F:
      return description.scale_type == CUDA_R_64F && from == CUDA_R_64F && to == CUDA_R_64F;
    default:
      return false;
  }
}

bool shapes_fit(const Product& product) {
  const std::int64_t rows = product.transpose_a ? product.a.columns : product.a.rows;
  const std::int64_t columns = product.transpose_b ? product.b.rows : product.b.columns;
  const std::int64_t inner = product.transpose_b ? product.b.columns : product.b.rows;
  return inner == product.inner() && rows == product.d.rows && columns == product.d.columns &&
         product.c.rows == product.d.rows && product.c.columns == product.d.columns;
}

bool is_supported(std::uint32_t epilogue) {
  switch (epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_BIAS:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
      return true;
    default:
      return false;
  }
}

const char* type_name(const Product& product) {
  if (product.tf32) return "tf32";
  switch (product.a.type) {
    case CUDA_R_16F:
      return "fp16";
    case CUDA_R_16BF:
      return "bf16";
    case CUDA_R_64F:
      return "fp64";
    default:
      return "fp32";
  }
}

double bytes_of(const MatrixView& view) {
  return static_cast<double>(view.rows) * static_cast<double>(view.columns) *
         static_cast<double>(element_bytes(view.type));
}

}  // namespace

cublasStatus_t describe(const MatmulDescription* description, const Layouts& layouts,
                        Product* product) {
  if (description == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  for (const MatrixLayout* layout : {layouts.a, layouts.b, layouts.c, layouts.d}) {
    if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    if (!is_supported(*layout)) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!has_room(view_of(*layout))) return CUBLAS_STATUS_INVALID_VALUE;
  }
  product->a = view_of(*layouts.a);
  product->b = view_of(*layouts.b);
  product->c = view_of(*layouts.c);
  product->d = view_of(*layouts.d);
  product->transpose_a = description->transpose_a != CUBLAS_OP_N;
  product->transpose_b = description->transpose_b != CUBLAS_OP_N;
  product->tf32 = description->compute_type == CUBLAS_COMPUTE_32F_FAST_TF32;
  product->relu = (description->epilogue & CUBLASLT_EPILOGUE_RELU) != 0;
  if (!shapes_fit(*product)) return CUBLAS_STATUS_INVALID_VALUE;
  if (!types_fit(*description, *product) || !is_supported(description->epilogue) ||
      description->pointer_mode != CUBLASLT_POINTER_MODE_HOST) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return CUBLAS_STATUS_SUCCESS;
}

GemmShape shape_of(const Product& product) {
  if (product.d.row_major) return {product.rows(), product.inner(), product.columns()};
  return {product.columns(), product.inner(), product.rows()};
}

double flops_of(const Product& product) {
  return 2.0 * static_cast<double>(product.rows()) * static_cast<double>(product.inner()) *
         static_cast<double>(product.columns());
}

double bytes_of(const Product& product) {
  return bytes_of(product.a) + bytes_of(product.b) + bytes_of(product.d);
}

std::string name_of(const Product& product) {
  const GemmShape shape = shape_of(product);
  return "matmul " + std::to_string(shape.tokens) + "x" + std::to_string(shape.inner) + "x" +
         std::to_string(shape.outputs) + " " + type_name(product) + (product.relu ? " relu" : "");
}

}  // namespace splitbench::standin

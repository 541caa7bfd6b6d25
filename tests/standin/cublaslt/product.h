// D = epilogue(alpha op(A) op(B) + beta C + bias), on the CPU.
//
// 16- and 32-bit types are multiplied and added up in fp32, fp64 in fp64. What is stored is rounded
// once, to nearest, ties to even.
#pragma once

#include <cstdint>

#include "tests/standin/cublaslt/matrix.h"

namespace splitbench::standin {

struct Product {
  MatrixView a;
  MatrixView b;
  MatrixView c;
  MatrixView d;
  void* result = nullptr;  // where d.data points
  bool transpose_a = false;
  bool transpose_b = false;
  double alpha = 1;
  double beta = 0;
  bool tf32 = false;  // factors are rounded to 10 mantissa bits first, to nearest

  const void* bias = nullptr;  // one value for each row of D, or null
  cudaDataType_t bias_type = CUDA_R_32F;
  bool relu = false;  // max(x, 0), NaN stays NaN (cuBLAS does not say)

  // The inner dimension cut in `splits` parts, whose sums are added: in the type of the sum, or
  // each rounded to the type of D first.
  int splits = 1;
  bool sums_in_output_type = false;

  std::int64_t rows() const { return d.rows; }
  std::int64_t columns() const { return d.columns; }
  std::int64_t inner() const { return transpose_a ? a.rows : a.columns; }
};

void multiply(const Product& product);

// `value` with 10 mantissa bits, rounded to nearest, ties away from zero (as PTX cvt.rna.tf32.f32
// does). Infinities and NaN stay what they are.
float round_to_tf32(float value);

}  // namespace splitbench::standin

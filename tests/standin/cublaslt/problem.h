// From descriptors to a product that can be carried out, or the status that says why not.
#pragma once

#include <cublasLt.h>

#include <string>

#include "tests/standin/cublaslt/descriptors.h"
#include "tests/standin/cublaslt/product.h"

namespace splitbench::standin {

// The layouts of one product.
struct Layouts {
  const MatrixLayout* a = nullptr;
  const MatrixLayout* b = nullptr;
  const MatrixLayout* c = nullptr;
  const MatrixLayout* d = nullptr;
};

// Fills all of *product but data, factors and bias. INVALID_VALUE where shapes, leading dimensions
// or handles do not fit; NOT_SUPPORTED for what the stand-in does not do: batches, other types than
// fp16, bf16, fp32 and fp64, other epilogues than ReLU and bias, factors in device memory.
cublasStatus_t describe(const MatmulDescription* description, const Layouts& layouts,
                        Product* product);

// Shape as a layer sees it: `tokens` rows times `inner`, to `outputs`, which lie next to each other
// in memory, whatever the order in which the library is asked.
struct GemmShape {
  std::int64_t tokens = 0;
  std::int64_t inner = 0;
  std::int64_t outputs = 0;
};
GemmShape shape_of(const Product& product);

double flops_of(const Product& product);  // 2 tokens inner outputs
double bytes_of(const Product& product);  // factors read once and result written once

// "matmul 16x64x256 fp32 relu": tokens x inner x outputs, fp32, tf32, fp16, bf16 or fp64.
std::string name_of(const Product& product);

}  // namespace splitbench::standin

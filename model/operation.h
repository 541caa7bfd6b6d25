// The operation y = ReLU(x A) B, chained over layers, and what it costs in operations and bytes.
//
// Shapes: x is tokens x d_model, A is d_model x d_ff, B is d_ff x d_model, y is tokens x d_model.
// Split over N ranks: A by columns, B by rows, d_ff / N each; one all-reduce of y per layer.
// Source: docs/formulas.md "The operation"; the split is the column-then-row scheme known as tensor
// parallelism (Shoeybi et al., Megatron-LM, arXiv 1909.08053, section 3).
#pragma once

#include <cstdint>
#include <string_view>

#include "model/quantity.h"

namespace splitbench {

enum class DataType { fp32, tf32, fp16, bf16 };

std::string_view name(DataType dtype);
// Throws InvalidInput("dtype") for a name it does not know.
DataType data_type(std::string_view name);
// Bytes that one stored element takes; tf32 is stored as fp32.
Bytes element_size(DataType dtype);

struct Operation {
  std::int64_t tokens = 0;
  std::int64_t d_model = 0;
  std::int64_t d_ff = 0;
  std::int64_t layers = 1;
  DataType dtype = DataType::fp32;

  friend bool operator==(const Operation&, const Operation&) = default;
};

// Throws InvalidInput where a size is not positive, d_ff does not divide over the ranks, or the
// operation has more than 2^53 elements in one matrix (sizes beyond that are not exact in a
// double).
void check(const Operation& operation, int ranks);

// Multiplications and additions of both products over all layers: 4 tokens d_model d_ff layers.
// ReLU and the serial part are not counted, as is usual for a GEMM rate.
Flops matrix_flops(const Operation& operation);

// Weights of all layers, A and B.
Bytes weight_bytes(const Operation& operation);

// M, the message of one all-reduce: y, tokens x d_model elements.
Bytes message_bytes(const Operation& operation);

// Q, the serialized collectives: one per layer when split, none on one rank.
std::int64_t collectives(const Operation& operation, int ranks);

}  // namespace splitbench

#include "model/operation.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

constexpr std::array<std::pair<DataType, std::string_view>, 4> kNames{{
    {DataType::fp32, "fp32"},
    {DataType::tf32, "tf32"},
    {DataType::fp16, "fp16"},
    {DataType::bf16, "bf16"},
}};

constexpr double kLargestExactCount = 9007199254740992.0;  // 2^53

void require_positive(std::int64_t value, const char* field) {
  if (value < 1) {
    throw InvalidInput(field, std::string(field) + " is " + std::to_string(value) +
                                  "; expected a whole number of at least 1");
  }
}

double elements(std::int64_t rows, std::int64_t columns) {
  return static_cast<double>(rows) * static_cast<double>(columns);
}

}  // namespace

std::string_view name(DataType dtype) {
  for (const auto& [value, text] : kNames) {
    if (value == dtype) return text;
  }
  return "unknown";
}

DataType data_type(std::string_view name) {
  for (const auto& [value, text] : kNames) {
    if (text == name) return value;
  }
  throw InvalidInput(
      "dtype", "unknown data type '" + std::string(name) + "'; expected fp32, tf32, fp16 or bf16");
}

Bytes element_size(DataType dtype) {
  return Bytes(dtype == DataType::fp32 || dtype == DataType::tf32 ? 4.0 : 2.0);
}

void check(const Operation& operation, int ranks) {
  require_positive(operation.tokens, "tokens");
  require_positive(operation.d_model, "d_model");
  require_positive(operation.d_ff, "d_ff");
  require_positive(operation.layers, "layers");
  require_positive(ranks, "ranks");
  if (operation.d_ff % ranks != 0) {
    throw InvalidInput("d_ff", "d_ff is " + std::to_string(operation.d_ff) +
                                   ", which does not divide over " + std::to_string(ranks) +
                                   " ranks; A is split by columns in equal parts");
  }
  const double largest =
      elements(operation.layers, 1) * std::max({elements(operation.tokens, operation.d_model),
                                                elements(operation.tokens, operation.d_ff),
                                                elements(operation.d_model, operation.d_ff)});
  if (largest > kLargestExactCount) {
    throw InvalidInput("d_model", "the operation has more than 2^53 elements; no machine holds it");
  }
}

Flops matrix_flops(const Operation& operation) {
  return Flops(4.0 * elements(operation.tokens, operation.d_model) *
               elements(operation.d_ff, operation.layers));
}

Bytes weight_bytes(const Operation& operation) {
  return 2.0 * elements(operation.d_model, operation.d_ff) * static_cast<double>(operation.layers) *
         element_size(operation.dtype);
}

Bytes message_bytes(const Operation& operation) {
  return elements(operation.tokens, operation.d_model) * element_size(operation.dtype);
}

std::int64_t collectives(const Operation& operation, int ranks) {
  return ranks > 1 ? operation.layers : 0;
}

}  // namespace splitbench

#include "tests/standin/cublaslt/product.h"

#include <cblas.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace splitbench::standin {
namespace {

// A column-major matrix without padding, in the type that sums are made in.
template <class Real>
struct Packed {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<Real> values;

  Packed(std::int64_t row_count, std::int64_t column_count)
      : rows(row_count),
        columns(column_count),
        values(static_cast<std::size_t>(row_count * column_count)) {}

  Real& at(std::int64_t row, std::int64_t column) {
    return values[static_cast<std::size_t>(column * rows + row)];
  }
};

template <class Real>
Packed<Real> packed(const MatrixView& matrix, bool transpose, bool tf32) {
  Packed<Real> result(transpose ? matrix.columns : matrix.rows,
                      transpose ? matrix.rows : matrix.columns);
  for (std::int64_t column = 0; column < result.columns; ++column) {
    for (std::int64_t row = 0; row < result.rows; ++row) {
      const std::int64_t index = transpose ? matrix.index(column, row) : matrix.index(row, column);
      const Real value = load<Real>(matrix.data, matrix.type, index);
      result.at(row, column) =
          tf32 ? static_cast<Real>(round_to_tf32(static_cast<float>(value))) : value;
    }
  }
  return result;
}

// sums = left right over the inner indices [begin, end).
void multiply_part(const Packed<float>& left, const Packed<float>& right, std::int64_t begin,
                   std::int64_t end, Packed<float>& sums) {
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<blasint>(left.rows),
              static_cast<blasint>(right.columns), static_cast<blasint>(end - begin), 1.0F,
              left.values.data() + begin * left.rows, static_cast<blasint>(left.rows),
              right.values.data() + begin, static_cast<blasint>(right.rows), 0.0F,
              sums.values.data(), static_cast<blasint>(sums.rows));
}

void multiply_part(const Packed<double>& left, const Packed<double>& right, std::int64_t begin,
                   std::int64_t end, Packed<double>& sums) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<blasint>(left.rows),
              static_cast<blasint>(right.columns), static_cast<blasint>(end - begin), 1.0,
              left.values.data() + begin * left.rows, static_cast<blasint>(left.rows),
              right.values.data() + begin, static_cast<blasint>(right.rows), 0.0,
              sums.values.data(), static_cast<blasint>(sums.rows));
}

template <class Real>
Real rounded(Real value, cudaDataType_t type) {
  double storage = 0;
  store(&storage, type, 0, value);
  return load<Real>(&storage, type, 0);
}

template <class Real>
Packed<Real> sums_of(const Product& product) {
  const Packed<Real> left = packed<Real>(product.a, product.transpose_a, product.tf32);
  const Packed<Real> right = packed<Real>(product.b, product.transpose_b, product.tf32);
  Packed<Real> sums(product.rows(), product.columns());
  Packed<Real> part(product.rows(), product.columns());
  const std::int64_t step = (product.inner() + product.splits - 1) / product.splits;
  for (std::int64_t begin = 0; begin < product.inner(); begin += step) {
    multiply_part(left, right, begin, std::min(begin + step, product.inner()), part);
    for (std::size_t i = 0; i < sums.values.size(); ++i) {
      sums.values[i] =
          product.sums_in_output_type
              ? rounded(sums.values[i] + rounded(part.values[i], product.d.type), product.d.type)
              : sums.values[i] + part.values[i];
    }
  }
  return sums;
}

template <class Real>
void multiply_in(const Product& product) {
  Packed<Real> sums = sums_of<Real>(product);
  const auto alpha = static_cast<Real>(product.alpha);
  const auto beta = static_cast<Real>(product.beta);
  for (std::int64_t row = 0; row < product.rows(); ++row) {
    const Real bias =
        product.bias != nullptr ? load<Real>(product.bias, product.bias_type, row) : Real{0};
    for (std::int64_t column = 0; column < product.columns(); ++column) {
      Real value = alpha * sums.at(row, column);
      if (beta != 0) {
        value += beta * load<Real>(product.c.data, product.c.type, product.c.index(row, column));
      }
      value += bias;
      if (product.relu && value < 0) value = 0;
      store(product.result, product.d.type, product.d.index(row, column), value);
    }
  }
}

}  // namespace

void multiply(const Product& product) {
  if (product.d.type == CUDA_R_64F) {
    multiply_in<double>(product);
  } else {
    multiply_in<float>(product);
  }
}

float round_to_tf32(float value) {
  if (!std::isfinite(value)) return value;
  constexpr std::uint32_t kDropped = 13;  // of 23 mantissa bits
  const std::uint32_t half = 1U << (kDropped - 1);
  const std::uint32_t mask = ~((1U << kDropped) - 1);
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + half) & mask);
}

}  // namespace splitbench::standin

// The operation itself on small dense matrices, written to be read: the reference for exact
// examples and tests, not for speed.
//
// Matrices are row-major. T is an integer type where bit-for-bit answers are wanted, double else.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

namespace splitbench {

template <class T>
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<T> values;  // rows * columns, row-major

  T& at(std::size_t row, std::size_t column) { return values[row * columns + column]; }
  const T& at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }

  friend bool operator==(const Matrix&, const Matrix&) = default;
};

template <class T>
Matrix<T> multiply(const Matrix<T>& a, const Matrix<T>& b) {
  assert(a.columns == b.rows);
  Matrix<T> product{a.rows, b.columns, std::vector<T>(a.rows * b.columns, T{})};
  for (std::size_t row = 0; row < a.rows; ++row) {
    for (std::size_t inner = 0; inner < a.columns; ++inner) {
      for (std::size_t column = 0; column < b.columns; ++column) {
        product.at(row, column) += a.at(row, inner) * b.at(inner, column);
      }
    }
  }
  return product;
}

template <class T>
Matrix<T> relu(Matrix<T> matrix) {
  for (T& value : matrix.values) value = value < T{} ? T{} : value;
  return matrix;
}

template <class T>
Matrix<T> add(Matrix<T> a, const Matrix<T>& b) {
  assert(a.rows == b.rows && a.columns == b.columns);
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values[i];
  return a;
}

// Columns [first, first + count) of A: what one rank holds of it.
template <class T>
Matrix<T> column_shard(const Matrix<T>& a, std::size_t first, std::size_t count) {
  Matrix<T> shard{a.rows, count, {}};
  shard.values.reserve(a.rows * count);
  for (std::size_t row = 0; row < a.rows; ++row) {
    for (std::size_t column = first; column < first + count; ++column) {
      shard.values.push_back(a.at(row, column));
    }
  }
  return shard;
}

// Rows [first, first + count) of B.
template <class T>
Matrix<T> row_shard(const Matrix<T>& b, std::size_t first, std::size_t count) {
  Matrix<T> shard{count, b.columns, {}};
  shard.values.reserve(count * b.columns);
  for (std::size_t row = first; row < first + count; ++row) {
    for (std::size_t column = 0; column < b.columns; ++column) {
      shard.values.push_back(b.at(row, column));
    }
  }
  return shard;
}

// ReLU(x A) B: the whole with A and B whole, one rank's partial output with its shards.
template <class T>
Matrix<T> mlp(const Matrix<T>& x, const Matrix<T>& a, const Matrix<T>& b) {
  return multiply(relu(multiply(x, a)), b);
}

}  // namespace splitbench

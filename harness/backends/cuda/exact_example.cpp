#include "harness/backends/cuda/exact_example.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "kernels/bias_relu.h"
#include "kernels/cast.h"
#include "model/exact_example.h"

namespace splitbench::cuda {
namespace {

// Libraries want sizes that are multiples of this for their fastest products.
constexpr std::int64_t kSide = 16;
constexpr std::size_t kElements = kSide * kSide;
using Square = std::array<float, kElements>;

Square padded(const Matrix<std::int64_t>& matrix) {
  Square square{};
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      square[row * kSide + column] = static_cast<float>(matrix.at(row, column));
    }
  }
  return square;
}

class Example {
 public:
  Example(const VerifyContext& context, DataType dtype)
      : c_(context),
        dtype_(dtype),
        floats_(DataType::fp32, kSide, kSide),
        x_(dtype, kSide, kSide),
        a_(dtype, kSide, kSide),
        b_(dtype, kSide, kSide),
        hidden_(dtype, kSide, kSide),
        y_(dtype, kSide, kSide) {
    const ExactExample example;
    Square a{};
    Square b{};
    if (c_.rank < example.ranks) {
      const auto first = static_cast<std::size_t>(c_.rank) * 2;
      a = padded(column_shard(example.a, first, 2));
      b = padded(row_shard(example.b, first, 2));
    }
    upload(padded(example.x), x_);
    upload(a, a_);
    upload(b, b_);
  }

  // y, the sum of the ranks' contributions; every output was poisoned before.
  Square run(bool relu_in_place) {
    const Product up{
        .dtype = dtype_, .rows = kSide, .inner = kSide, .columns = kSide, .relu = relu_in_place};
    Product down = up;
    down.relu = false;
    set_bytes(hidden_.data(), 0xff, hidden_.bytes(), c_.stream);
    set_bytes(y_.data(), 0xff, y_.bytes(), c_.stream);
    Matmul::first_proposal(*c_.library, up)
        .run({.left = x_.data(), .right = a_.data(), .result = hidden_.data()}, c_.stream);
    Matmul::first_proposal(*c_.library, down)
        .run({.left = hidden_.data(), .right = b_.data(), .result = y_.data()}, c_.stream);
    c_.at->communicator->all_reduce(y_.data(), y_.data(), kElements, dtype_, c_.stream);
    if (!relu_in_place) {
      check(kernels::bias_relu(y_.view(), nullptr, c_.stream), "kernels::bias_relu");
    }
    return download(y_);
  }

 private:
  void upload(const Square& values, const DeviceMatrix& to) {
    std::copy(values.begin(), values.end(), staged_.host());
    copy(floats_.data(), staged_.device(), floats_.bytes(), c_.stream);
    check(kernels::cast(floats_.view(), to.view(), c_.stream), "kernels::cast");
    finish();
  }

  Square download(const DeviceMatrix& from) {
    check(kernels::cast(from.view(), floats_.view(), c_.stream), "kernels::cast");
    copy(staged_.device(), floats_.data(), floats_.bytes(), c_.stream);
    finish();
    Square values;
    std::copy_n(staged_.host(), kElements, values.begin());
    return values;
  }

  void finish() const { c_.at->communicator->wait(c_.stream, c_.patience); }

  const VerifyContext& c_;
  DataType dtype_;
  Pinned<float> staged_{kElements};
  DeviceMatrix floats_;
  DeviceMatrix x_;
  DeviceMatrix a_;
  DeviceMatrix b_;
  DeviceMatrix hidden_;
  DeviceMatrix y_;
};

}  // namespace

std::size_t exact_example_bytes(DataType dtype) {
  return DeviceMatrix::bytes(DataType::fp32, kSide, kSide) +
         5 * DeviceMatrix::bytes(dtype, kSide, kSide);
}

bool exact_example(const VerifyContext& context) {
  Example example(context, context.at->operation.dtype);
  const Square expected = padded({1, 2, {-3, 9}});
  const Square right = example.run(true);
  const Square control = example.run(false);
  return right == expected && control != expected;
}

}  // namespace splitbench::cuda

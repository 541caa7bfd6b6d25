// The values of the operation's matrices, as pure functions of where they stand.
//
// A value depends on seed, layer, matrix, global row and global column and on nothing else, so that
// a shard holds exactly the columns of A and the rows of B that the whole operation uses, on
// whatever device, and in whatever order, it is filled.
#pragma once

#include <cstdint>

#include "model/random.h"

namespace splitbench {

enum class MatrixName : std::uint64_t { x = 1, a = 2, b = 3 };

// 64 bits, as good as independent for every (seed, layer, matrix, row, column).
class MatrixValues {
 public:
  MatrixValues(std::uint64_t seed, std::int64_t layer, MatrixName matrix)
      : key_(mix64(mix64(seed ^ 0x9e3779b97f4a7c15ULL) +
                   mix64((static_cast<std::uint64_t>(layer) << 8) +
                         static_cast<std::uint64_t>(matrix)))) {}

  // Stands for seed, layer and matrix: all that a device needs to make the same values.
  std::uint64_t key() const { return key_; }

  // About normal, mean 0, variance 1, within +-3.47: the sum of four uniform 16-bit numbers,
  // centred (Irwin-Hall). Whole numbers until the last product, so every device computes the same
  // float.
  float normal(std::int64_t row, std::int64_t column) const {
    const std::uint64_t bits = at(row, column);
    const auto sum = static_cast<std::int32_t>((bits & 0xffff) + (bits >> 16 & 0xffff) +
                                               (bits >> 32 & 0xffff) + (bits >> 48));
    return static_cast<float>(sum - 131070) * kNormalScale;
  }

  // -1, 0 or 1; one in `sparsity` is not 0.
  float small_integer(std::int64_t row, std::int64_t column, std::uint32_t sparsity) const {
    const std::uint64_t bits = at(row, column);
    if ((bits >> 32) % sparsity != 0) return 0.0F;
    return (bits & 1) != 0 ? 1.0F : -1.0F;
  }

 private:
  // 1 / sd of the sum: each of the four is uniform on 0..65535, of variance (65536^2 - 1) / 12.
  static constexpr float kNormalScale = 2.6428998e-05F;

  std::uint64_t at(std::int64_t row, std::int64_t column) const {
    return mix64(
        key_ + mix64((static_cast<std::uint64_t>(row) << 32) ^ static_cast<std::uint64_t>(column)));
  }

  std::uint64_t key_;
};

}  // namespace splitbench

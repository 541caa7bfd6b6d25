#include "harness/rank/correctness.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "harness/error.h"
#include "model/random.h"

namespace splitbench {
namespace {

// Bits of a significand, the leading one counted: fp32 24, tf32 and fp16 11, bf16 8 (IEEE 754; for
// tf32 and bf16 NVIDIA's documents of its tensor cores). Unit roundoff to nearest is 2^-bits.
constexpr double kSingle = 0x1p-24;
constexpr double kTensorCore = 0x1p-22;  // of sums in tensor cores, which may cut instead of round

// The largest number that integers of this sparsity are likely to give: mean and eight standard
// deviations. Of the products that a value of x A sums, m = d_model / s^2 are not 0, each 1 or -1:
// its variance is m, its magnitude at most m and sqrt(m) on average, half of that after ReLU. Of
// those, d_ff / s are summed to |h||B|.
double likely_largest(const Operation& op, double sparsity) {
  const double m = static_cast<double>(op.d_model) / (sparsity * sparsity);
  const double terms = static_cast<double>(op.d_ff) / sparsity;
  const double sum = terms * 0.5 * std::min(m, std::sqrt(m)) + 8.0 * std::sqrt(terms * 0.5 * m);
  return std::max(sum, 8.0 * std::sqrt(m));
}

std::string first_failure(const Findings& all, DataType dtype, std::int64_t columns) {
  const Correctness& c = all.correctness;
  if (all.unwritten > 0.0) {
    return fmt::format("{:.0f} outputs were left unwritten", all.unwritten);
  }
  if (!c.exact_example_passed) return "the exact 2x4 example gave another result";
  if (!c.exact_integers_passed) {
    return fmt::format("integers that are exact in {} gave another result", name(dtype));
  }
  if (!c.within_bound) {
    const auto first = static_cast<std::int64_t>(all.first_outside);
    return fmt::format(
        "random data: {:.0f} values exceed their error bound, one in row {}, column {}",
        all.outside, first / columns, first % columns);
  }
  if (!c.negative_control_failed) return "ReLU after the sum went unnoticed";
  return {};
}

// How findings travel through the table of times.
constexpr std::size_t kRow = 11;
std::array<double, kRow> packed(const Findings& f) {
  const Correctness& c = f.correctness;
  return {static_cast<double>(c.exact_example_passed),
          static_cast<double>(c.exact_integers_passed),
          static_cast<double>(c.negative_control_failed),
          static_cast<double>(c.ranks_agree),
          static_cast<double>(c.within_bound),
          static_cast<double>(c.bound_informative),
          c.max_error,
          c.error_bound,
          f.unwritten,
          f.outside,
          f.first_outside};
}

void add(std::span<const double> row, Findings& to) {
  Correctness& c = to.correctness;
  c.exact_example_passed &= row[0] != 0.0;
  c.exact_integers_passed &= row[1] != 0.0;
  c.negative_control_failed &= row[2] != 0.0;
  c.ranks_agree &= row[3] != 0.0;
  c.bound_informative &= row[5] != 0.0;
  to.compared(row[6], row[7], row[9], row[10]);
  c.within_bound &= row[4] != 0.0;
  to.unwritten += row[8];
}

}  // namespace

Precision precision(DataType dtype) {
  switch (dtype) {
    case DataType::fp32:
      return {.factor = 0.0, .accumulation = kSingle, .stored = kSingle, .integers = 0x1p24};
    case DataType::tf32:
      // The low 13 bits of a factor may be cut off, which is twice the error of rounding.
      return {
          .factor = 0x1p-10, .accumulation = kTensorCore, .stored = kSingle, .integers = 0x1p11};
    case DataType::fp16:
      return {.factor = 0.0, .accumulation = kTensorCore, .stored = 0x1p-11, .integers = 0x1p11};
    case DataType::bf16:
      return {.factor = 0.0, .accumulation = kTensorCore, .stored = 0x1p-8, .integers = 0x1p8};
  }
  throw HarnessError("no such data type");
}

double gamma(std::int64_t n, double u) {
  const double nu = static_cast<double>(n) * u;
  return nu / (1.0 - nu);
}

ErrorBound error_bound(const Operation& op, int ranks) {
  const Precision p = precision(op.dtype);
  return {.input_weight = gamma(op.d_model, p.accumulation) + 2.0 * p.factor,
          .hidden_weight =
              p.stored + gamma(op.d_ff, p.accumulation) + 2.0 * p.factor + ranks * p.stored};
}

std::uint32_t integer_sparsity(const Operation& op) {
  std::uint32_t sparsity = 8;
  while (likely_largest(op, sparsity) > precision(op.dtype).integers) sparsity *= 2;
  return sparsity;
}

Findings::Findings() {
  correctness.exact_example_passed = correctness.exact_integers_passed =
      correctness.negative_control_failed = correctness.ranks_agree = correctness.within_bound =
          correctness.bound_informative = true;
}

void Findings::compared(double error, double bound, double values_outside, double first) {
  correctness.max_error = std::max(correctness.max_error, error);
  correctness.error_bound = std::max(correctness.error_bound, bound);
  if (values_outside <= 0.0) return;
  if (outside == 0.0) first_outside = first;
  outside += values_outside;
  correctness.within_bound = false;
}

Correctness together(const Findings& mine, DataType dtype, std::int64_t columns,
                     SharedRegion& region, RankBarrier& barrier, int rank) {
  const std::array<double, kRow> row = packed(mine);
  std::copy(row.begin(), row.end(), region.times(rank).begin());
  barrier.meet_asleep();
  Findings all;
  for (int each = 0; each < region.ranks(); ++each) add(region.times(each), all);
  barrier.meet_asleep();
  Correctness correctness = all.correctness;
  correctness.reference = mine.correctness.reference;
  correctness.failure = first_failure(all, dtype, columns);
  return correctness;
}

bool same_on_all_ranks(double value, SharedRegion& region, RankBarrier& barrier, int rank) {
  region.times(rank)[0] = value;
  barrier.meet_asleep();
  bool same = true;
  for (int each = 0; each < region.ranks(); ++each) same &= region.times(each)[0] == value;
  barrier.meet_asleep();
  return same;
}

std::string checksum_over_ranks(std::uint64_t mine, SharedRegion& region, RankBarrier& barrier,
                                int rank) {
  region.times(rank)[0] = std::bit_cast<double>(mine);
  barrier.meet_asleep();
  std::uint64_t sum = 0;
  for (int each = 0; each < region.ranks(); ++each) {
    sum = mix64(sum ^ std::bit_cast<std::uint64_t>(region.times(each)[0]));
  }
  barrier.meet_asleep();
  return fmt::format("{:016x}", sum);
}

void sum_over_ranks(std::span<double> values, SharedRegion& region, RankBarrier& barrier,
                    int rank) {
  for (std::size_t begin = 0; begin < values.size(); begin += SharedRegion::kTimesPerRank) {
    const std::size_t count = std::min(values.size() - begin, SharedRegion::kTimesPerRank);
    const std::span<double> part = values.subspan(begin, count);
    std::copy(part.begin(), part.end(), region.times(rank).begin());
    barrier.meet_asleep();
    std::fill(part.begin(), part.end(), 0.0);
    for (int each = 0; each < region.ranks(); ++each) {
      const std::span<const double> theirs = region.times(each);
      for (std::size_t i = 0; i < count; ++i) part[i] += theirs[i];
    }
    barrier.meet_asleep();
  }
}

}  // namespace splitbench

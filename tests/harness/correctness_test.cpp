// The bound on errors, the integers that stay exact, and how findings of ranks become one answer.
#include "harness/rank/correctness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "model/matrix_values.h"
#include "tests/harness/on_ranks.h"

namespace splitbench {
namespace {

constexpr DataType kTypes[] = {DataType::fp32, DataType::tf32, DataType::fp16, DataType::bf16};

Operation shape(std::int64_t tokens, std::int64_t d_model, std::int64_t d_ff, DataType dtype) {
  return {.tokens = tokens, .d_model = d_model, .d_ff = d_ff, .layers = 1, .dtype = dtype};
}

// gamma(n, u) and the sums of docs/rules.md "Correctness" in exact fractions (Python), for
// d_model 64, d_ff 256, 4 ranks.
TEST(ErrorBound, IsTheFormulaForEveryType) {
  const struct {
    DataType dtype;
    double input_weight;
    double hidden_weight;
  } expected[] = {
      {DataType::fp32, 3.8147118175957395e-06, 1.5557045120573375e-05},
      {DataType::tf32, 0.0019683840218966964, 0.002014461904991563},
      {DataType::fp16, 1.5259021896696422e-05, 0.002502445131767686},
      {DataType::bf16, 1.5259021896696422e-05, 0.019592288881767686},
  };
  for (const auto& [dtype, input_weight, hidden_weight] : expected) {
    const ErrorBound bound = error_bound(shape(16, 64, 256, dtype), 4);
    EXPECT_NEAR(bound.input_weight / input_weight, 1.0, 1e-14) << name(dtype);
    EXPECT_NEAR(bound.hidden_weight / hidden_weight, 1.0, 1e-14) << name(dtype);
  }
}

// To so many bits of significand, ties to even.
double rounded(double value, int bits) {
  if (value == 0.0) return 0.0;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits);
}

// Towards zero, as tensor cores may.
double cut(double value, int bits) {
  if (value == 0.0) return 0.0;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(fraction, bits)), exponent - bits);
}

// A machine that multiplies in a type as badly as it may: factors cut, sums cut at every step.
struct Machine {
  int factor;  // bits of a factor, of a sum, of what is stored
  int sum;
  int stored;

  double product(const std::vector<double>& left, const std::vector<double>& right) const {
    double sum_so_far = 0.0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      sum_so_far = cut(sum_so_far + cut(left[i], factor) * cut(right[i], factor), sum);
    }
    return sum_so_far;
  }
};

Machine machine(DataType dtype) {
  switch (dtype) {
    case DataType::fp32:
      return {.factor = 53, .sum = 25, .stored = 24};
    case DataType::tf32:
      return {.factor = 11, .sum = 23, .stored = 24};
    case DataType::fp16:
      return {.factor = 53, .sum = 23, .stored = 11};
    default:
      return {.factor = 53, .sum = 23, .stored = 8};
  }
}

std::vector<double> values(MatrixName matrix, std::int64_t count, std::int64_t column, double scale,
                           int bits) {
  const MatrixValues source(3, 0, matrix);
  std::vector<double> all;
  for (std::int64_t row = 0; row < count; ++row) {
    all.push_back(rounded(source.normal(row, column) * scale, bits));
  }
  return all;
}

// One output element after another: x and A have d_model 24, d_ff is 40, over 2 ranks.
TEST(ErrorBound, HoldsOnAMachineThatCutsEverySum) {
  constexpr std::int64_t kModel = 24;
  constexpr std::int64_t kFf = 40;
  constexpr int kRanks = 2;
  for (const DataType dtype : kTypes) {
    const Machine m = machine(dtype);
    const ErrorBound weights = error_bound(shape(1, kModel, kFf, dtype), kRanks);
    double largest_share = 0.0;
    for (std::int64_t trial = 0; trial < 200; ++trial) {
      const auto x = values(MatrixName::x, kModel, trial, 1.0, m.stored);
      const auto b = values(MatrixName::b, kFf, trial, 0.2, m.stored);
      std::vector<double> h_machine;
      double y = 0.0;
      double input_terms = 0.0;
      double hidden_terms = 0.0;
      for (std::int64_t j = 0; j < kFf; ++j) {
        const auto a = values(MatrixName::a, kModel, trial * kFf + j, 0.2, m.stored);
        double h = 0.0;
        double magnitude = 0.0;
        for (std::int64_t k = 0; k < kModel; ++k) {
          const auto i = static_cast<std::size_t>(k);
          h += x[i] * a[i];
          magnitude += std::abs(x[i] * a[i]);
        }
        const double weight = b[static_cast<std::size_t>(j)];
        y += std::max(h, 0.0) * weight;
        input_terms += magnitude * std::abs(weight);
        hidden_terms += std::max(h, 0.0) * std::abs(weight);
        h_machine.push_back(std::max(rounded(m.product(x, a), m.stored), 0.0));
      }
      double sum = 0.0;
      for (std::int64_t rank = 0; rank < kRanks; ++rank) {
        const auto first = rank * kFf / kRanks;
        const auto last = first + kFf / kRanks;
        sum = rounded(sum + rounded(m.product({h_machine.begin() + first, h_machine.begin() + last},
                                              {b.begin() + first, b.begin() + last}),
                                    m.stored),
                      m.stored);
      }
      const double bound =
          weights.input_weight * input_terms + weights.hidden_weight * hidden_terms;
      EXPECT_LE(std::abs(sum - y), bound) << name(dtype) << " trial " << trial;
      largest_share = std::max(largest_share, std::abs(sum - y) / bound);
    }
    EXPECT_GT(largest_share, 0.01) << name(dtype) << ": a bound that nothing comes near";
  }
}

// Whole numbers: what the largest sum of magnitudes is, and whether anything is left to check.
struct IntegerCase {
  std::int64_t largest_hidden = 0;
  std::int64_t largest_sum = 0;
  std::int64_t outputs_not_zero = 0;
};

IntegerCase integers(const Operation& op) {
  const std::uint32_t sparsity = integer_sparsity(op);
  const auto value = [&](MatrixName matrix, std::int64_t row, std::int64_t column) {
    return static_cast<std::int64_t>(
        MatrixValues(1, 0, matrix).small_integer(row, column, sparsity));
  };
  IntegerCase found;
  for (std::int64_t token = 0; token < op.tokens; ++token) {
    std::vector<std::int64_t> y(static_cast<std::size_t>(op.d_model));
    std::vector<std::int64_t> sums(y.size());
    for (std::int64_t j = 0; j < op.d_ff; ++j) {
      std::int64_t h = 0;
      for (std::int64_t k = 0; k < op.d_model; ++k) {
        const std::int64_t x = value(MatrixName::x, token, k);
        if (x != 0) h += x * value(MatrixName::a, k, j);
      }
      if (h <= 0) continue;
      found.largest_hidden = std::max(found.largest_hidden, h);
      for (std::int64_t k = 0; k < op.d_model; ++k) {
        const std::int64_t b = value(MatrixName::b, j, k);
        y[static_cast<std::size_t>(k)] += h * b;
        sums[static_cast<std::size_t>(k)] += h * std::abs(b);
      }
    }
    for (std::size_t k = 0; k < y.size(); ++k) {
      found.largest_sum = std::max(found.largest_sum, sums[k]);
      found.outputs_not_zero += y[k] != 0 ? 1 : 0;
    }
  }
  return found;
}

// Integers up to 2^24 are exact in fp32, 2^11 in fp16 and tf32, 2^8 in bf16: their significands.
TEST(IntegerSparsity, KeepsEverySumExactAndLeavesSomethingToCheck) {
  const struct {
    DataType dtype;
    std::int64_t limit;
  } limits[] = {{DataType::fp32, 1 << 24},
                {DataType::tf32, 1 << 11},
                {DataType::fp16, 1 << 11},
                {DataType::bf16, 1 << 8}};
  for (const auto& [dtype, limit] : limits) {
    EXPECT_EQ(precision(dtype).integers, static_cast<double>(limit));
    for (const Operation& op :
         {shape(16, 64, 256, dtype), shape(7, 33, 90, dtype), shape(2, 1024, 4096, dtype)}) {
      const IntegerCase found = integers(op);
      EXPECT_LE(found.largest_hidden, limit) << name(dtype) << " " << op.d_model;
      EXPECT_LE(found.largest_sum, limit) << name(dtype) << " " << op.d_model;
      EXPECT_GT(found.outputs_not_zero, op.tokens * op.d_model / 10) << name(dtype) << op.d_model;
    }
  }
}

TEST(Correctness, IsWhatAllRanksFoundTogether) {
  test::on_ranks(3, 64, [](int rank, RankBarrier& barrier, SharedRegion& region) {
    Findings mine;
    mine.correctness.reference = "by hand";
    mine.compared(0.1 * rank, 2.0 - rank, rank == 1 ? 4.0 : 0.0, 25.0);
    const Correctness all = together(mine, DataType::bf16, 10, region, barrier, rank);
    EXPECT_FALSE(all.passed());
    EXPECT_FALSE(all.within_bound);
    EXPECT_TRUE(all.exact_example_passed);
    EXPECT_EQ(all.max_error, 0.2);
    EXPECT_EQ(all.error_bound, 2.0);
    EXPECT_EQ(all.reference, "by hand");
    EXPECT_EQ(all.failure,
              "random data: 4 values exceed their error bound, one in row 2, column 5");
  });
}

// What one rank's findings are called when this is wrong with them.
std::string failure_of(const std::function<void(Findings&)>& spoil) {
  std::string failure;
  test::on_ranks(2, 64, [&](int rank, RankBarrier& barrier, SharedRegion& region) {
    Findings mine;
    if (rank == 1) spoil(mine);
    const Correctness all = together(mine, DataType::bf16, 10, region, barrier, rank);
    if (rank == 0) failure = all.failure;
  });
  return failure;
}

TEST(Correctness, NamesTheFirstThingThatWasWrong) {
  EXPECT_EQ(failure_of([](Findings&) {}), "");
  EXPECT_EQ(failure_of([](Findings& f) {
              f.unwritten = 12;
              f.correctness.exact_integers_passed = false;
            }),
            "12 outputs were left unwritten");
  EXPECT_EQ(failure_of([](Findings& f) { f.correctness.exact_example_passed = false; }),
            "the exact 2x4 example gave another result");
  EXPECT_EQ(failure_of([](Findings& f) { f.correctness.exact_integers_passed = false; }),
            "integers that are exact in bf16 gave another result");
  EXPECT_EQ(failure_of([](Findings& f) { f.correctness.negative_control_failed = false; }),
            "ReLU after the sum went unnoticed");
  EXPECT_EQ(failure_of([](Findings& f) { f.correctness.ranks_agree = false; }), "")
      << "looked at, reported, and no failure";
}

TEST(SumOverRanks, IsTheSameOnEveryRankWhateverTheLength) {
  for (const std::size_t count :
       {std::size_t{1}, SharedRegion::kTimesPerRank, SharedRegion::kTimesPerRank + 3}) {
    test::on_ranks(3, 64, [count](int rank, RankBarrier& barrier, SharedRegion& region) {
      std::vector<double> values(count);
      for (std::size_t i = 0; i < count; ++i) values[i] = 0.5 * rank + static_cast<double>(i);
      sum_over_ranks(values, region, barrier, rank);
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(values[i], 1.5 + 3.0 * static_cast<double>(i));  // 0.5 (0 + 1 + 2) + 3 i
      }
    });
  }
}

}  // namespace
}  // namespace splitbench

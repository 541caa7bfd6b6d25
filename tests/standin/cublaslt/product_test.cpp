// The stand-in's products against float64 on the host: every type, order, transposition and
// epilogue. Bounds: |y - exact| <= gamma(K, u_acc) |a||b| + u_out |y| (Higham, Accuracy and
// Stability of Numerical Algorithms, 2nd ed., section 3.5), with the unit roundoffs of IEEE 754
// (fp64 2^-53, fp32 2^-24, fp16 2^-11) and of bfloat16 (2^-8).
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "tests/standin/cublaslt/multiplication.h"
#include "tests/standin/test/device_values.h"
#include "tests/standin/test/scenario_run.h"

namespace splitbench::standin {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr const char* kScenario = R"({"devices": 1})";

// How numbers of the C++ type T are stored, and what they lose.
template <class T>
struct Type;
template <>
struct Type<float> {
  static constexpr cudaDataType_t name = CUDA_R_32F;
  static constexpr double roundoff = 0x1p-24;
  static float from(double value) { return static_cast<float>(value); }
  static double to(float value) { return value; }
};
template <>
struct Type<double> {
  static constexpr cudaDataType_t name = CUDA_R_64F;
  static constexpr double roundoff = 0x1p-53;
  static double from(double value) { return value; }
  static double to(double value) { return value; }
};
template <>
struct Type<__half> {
  static constexpr cudaDataType_t name = CUDA_R_16F;
  static constexpr double roundoff = 0x1p-11;
  static __half from(double value) { return __float2half_rn(static_cast<float>(value)); }
  static double to(__half value) { return __half2float(value); }
};
template <>
struct Type<__nv_bfloat16> {
  static constexpr cudaDataType_t name = CUDA_R_16BF;
  static constexpr double roundoff = 0x1p-8;
  static __nv_bfloat16 from(double value) { return __float2bfloat16_rn(static_cast<float>(value)); }
  static double to(__nv_bfloat16 value) { return __bfloat162float(value); }
};

// A matrix in memory with poison between its columns or rows.
template <class T>
struct Matrix {
  Placement placement;
  std::vector<T> memory;

  explicit Matrix(const Placement& where)
      : placement(where), memory(where.elements(), Type<T>::from(kPoison)) {}

  double at(std::int64_t row, std::int64_t column) const {
    return Type<T>::to(memory[placement.index(row, column)]);
  }
  void set(std::int64_t row, std::int64_t column, double value) {
    memory[placement.index(row, column)] = Type<T>::from(value);
  }

  static constexpr double kPoison = -1234;
};

template <class T>
Matrix<T> random_matrix(const Placement& placement, unsigned seed) {
  Matrix<T> matrix(placement);
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  for (std::int64_t row = 0; row < placement.rows; ++row) {
    for (std::int64_t column = 0; column < placement.columns; ++column) {
      matrix.set(row, column, normal(random));
    }
  }
  return matrix;
}

// Sums of products and of their magnitudes.
struct Exact {
  double value = 0;
  double magnitude = 0;
};

// Row `row` of op(a) times column `column` of op(b).
template <class T>
Exact exact_element(const Matrix<T>& a, bool transpose_a, const Matrix<T>& b, bool transpose_b,
                    std::int64_t row, std::int64_t column) {
  Exact sum;
  const std::int64_t inner = transpose_a ? a.placement.rows : a.placement.columns;
  for (std::int64_t k = 0; k < inner; ++k) {
    const double term = (transpose_a ? a.at(k, row) : a.at(row, k)) *
                        (transpose_b ? b.at(column, k) : b.at(k, column));
    sum.value += term;
    sum.magnitude += std::abs(term);
  }
  return sum;
}

double gamma(std::int64_t terms, double roundoff) {
  const double growth = static_cast<double>(terms) * roundoff;
  return growth / (1 - growth);
}

template <class T>
class Products : public testing::Test {};
using Types = testing::Types<float, __half, __nv_bfloat16, double>;
TYPED_TEST_SUITE(Products, Types);

constexpr std::int64_t kRows = 17;
constexpr std::int64_t kInner = 33;
constexpr std::int64_t kColumns = 9;

// All orders and transpositions, with padding, at odd sizes.
TYPED_TEST(Products, AreWithinTheBoundWhateverTheLayout) {
  run_alone(kScenario, [] {
    constexpr bool is_double = std::is_same_v<TypeParam, double>;
    const double accumulation = is_double ? 0x1p-53 : 0x1p-24;
    for (int choice = 0; choice < 32; ++choice) {
      const auto order = [&](int bit) {
        return (choice >> bit & 1) != 0 ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
      };
      const bool transpose_a = (choice & 8) != 0;
      const bool transpose_b = (choice & 16) != 0;
      const Placement a_placement{Type<TypeParam>::name, transpose_a ? kInner : kRows,
                                  transpose_a ? kRows : kInner, order(0), 3};
      const Placement b_placement{Type<TypeParam>::name, transpose_b ? kColumns : kInner,
                                  transpose_b ? kInner : kColumns, order(1), 1};
      const Placement d_placement{Type<TypeParam>::name, kRows, kColumns, order(2), 2};
      const auto a = random_matrix<TypeParam>(a_placement, 1);
      const auto b = random_matrix<TypeParam>(b_placement, 2);
      Matrix<TypeParam> d(d_placement);
      const DeviceValues<TypeParam> a_device(a.memory);
      const DeviceValues<TypeParam> b_device(b.memory);
      const DeviceValues<TypeParam> d_device(d.memory);

      Multiplication product(a_placement, b_placement, d_placement,
                             is_double ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F,
                             is_double ? CUDA_R_64F : CUDA_R_32F);
      product.set(CUBLASLT_MATMUL_DESC_TRANSA, transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N);
      product.set(CUBLASLT_MATMUL_DESC_TRANSB, transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N);
      const auto proposals = product.proposals(0, CUBLASLT_REDUCTION_SCHEME_MASK);
      ASSERT_FALSE(proposals.empty());
      using Scale = std::conditional_t<is_double, double, float>;
      ASSERT_EQ(product.template run<Scale>(a_device.data(), b_device.data(), d_device.data(),
                                            nullptr, &proposals.front().algo),
                CUBLAS_STATUS_SUCCESS);
      d.memory = d_device.read();

      std::size_t written = 0;
      for (std::int64_t row = 0; row < kRows; ++row) {
        for (std::int64_t column = 0; column < kColumns; ++column) {
          const Exact exact = exact_element(a, transpose_a, b, transpose_b, row, column);
          const double bound = gamma(kInner, accumulation) * exact.magnitude +
                               Type<TypeParam>::roundoff * std::abs(exact.value) * 1.01;
          ASSERT_NEAR(d.at(row, column), exact.value, bound)
              << "choice " << choice << ", row " << row << ", column " << column;
          ++written;
        }
      }
      // What lies between columns or rows is not the product's.
      const auto untouched = std::count_if(d.memory.begin(), d.memory.end(), [](TypeParam value) {
        return Type<TypeParam>::to(value) ==
               Type<TypeParam>::to(Type<TypeParam>::from(Matrix<TypeParam>::kPoison));
      });
      EXPECT_EQ(static_cast<std::size_t>(untouched), d.memory.size() - written);
    }
  });
}

// alpha A B + beta D with D the old values: 2 (1 2) (3 4)^T + 3 (5) = 37.
TEST(Factors, ScaleTheProductAndTheOldValues) {
  run_alone(kScenario, [] {
    const DeviceValues<float> a({1, 2});
    const DeviceValues<float> b({3, 4});
    const DeviceValues<float> d({5});
    Multiplication product({CUDA_R_32F, 1, 2}, {CUDA_R_32F, 2, 1}, {CUDA_R_32F, 1, 1});
    const auto proposals = product.proposals(0, CUBLASLT_REDUCTION_SCHEME_NONE);
    ASSERT_EQ(product.run(a.data(), b.data(), d.data(), nullptr, &proposals.front().algo, nullptr,
                          0, 2.0F, 3.0F),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(d.read(), std::vector<float>{37});
  });
}

// tf32 has 10 mantissa bits: of 1 + 2^-11 (a tie) and 1 + 3 * 2^-12 the first is rounded away from
// zero (PTX ISA, cvt.rna), the second to nearest, both to 1 + 2^-10; 1 + 2^-12 is rounded to 1.
TEST(Tf32, RoundsTheFactorsToTenBits) {
  run_alone(kScenario, [] {
    const std::vector<float> factors = {1 + 0x1p-11F, 1 + 0x3p-12F, 1 + 0x1p-12F, -1 - 0x3p-12F};
    const std::vector<float> expected = {1 + 0x1p-10F, 1 + 0x1p-10F, 1, -1 - 0x1p-10F};
    const DeviceValues<float> a(factors);
    const DeviceValues<float> one({1});
    const DeviceValues<float> d(std::vector<float>(factors.size()));
    const std::int64_t rows = static_cast<std::int64_t>(factors.size());
    Multiplication product({CUDA_R_32F, rows, 1}, {CUDA_R_32F, 1, 1}, {CUDA_R_32F, rows, 1},
                           CUBLAS_COMPUTE_32F_FAST_TF32);
    const auto proposals = product.proposals(0, CUBLASLT_REDUCTION_SCHEME_NONE);
    ASSERT_EQ(product.run(a.data(), one.data(), d.data(), nullptr, &proposals.front().algo),
              CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(d.read(), expected);
  });
}

struct EpilogueCase {
  cublasLtEpilogue_t epilogue;
  std::vector<float> expected;
};

bool same_bits_or_nan(float left, float right) {
  return std::isnan(left) ? std::isnan(right) : left == right;
}

// D = (-2 3 NaN -1)^T times 1, bias (1 -5 1 2)^T: one value a row, before ReLU.
TEST(Epilogues, AddTheBiasThenCutAtZeroAndKeepNan) {
  run_alone(kScenario, [] {
    const std::vector<float> values = {-2, 3, kNan, -1};
    const EpilogueCase cases[] = {
        {CUBLASLT_EPILOGUE_DEFAULT, {-2, 3, kNan, -1}},
        {CUBLASLT_EPILOGUE_RELU, {0, 3, kNan, 0}},
        {CUBLASLT_EPILOGUE_BIAS, {-1, -2, kNan, 1}},
        {CUBLASLT_EPILOGUE_RELU_BIAS, {0, 0, kNan, 1}},
    };
    const DeviceValues<float> a(values);
    const DeviceValues<float> one({1});
    const DeviceValues<float> bias({1, -5, 1, 2});
    for (const EpilogueCase& one_case : cases) {
      const DeviceValues<float> d(std::vector<float>(4));
      Multiplication product({CUDA_R_32F, 4, 1}, {CUDA_R_32F, 1, 1}, {CUDA_R_32F, 4, 1});
      product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, one_case.epilogue);
      product.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(bias.data()));
      const auto proposals = product.proposals(0, CUBLASLT_REDUCTION_SCHEME_NONE);
      ASSERT_EQ(product.run(a.data(), one.data(), d.data(), nullptr, &proposals.front().algo),
                CUBLAS_STATUS_SUCCESS);
      const std::vector<float> result = d.read();
      for (std::size_t i = 0; i < result.size(); ++i) {
        EXPECT_TRUE(same_bits_or_nan(result[i], one_case.expected[i]))
            << "epilogue " << one_case.epilogue << ", row " << i << ": " << result[i];
      }
    }
  });
}

// A product of memory that the device may not reach ends it, as a kernel does.
TEST(Memory, OfAProductMustBeTheDevices) {
  run_alone(kScenario, [] {
    const DeviceValues<float> fine({1});
    float host = 1;
    Multiplication product({CUDA_R_32F, 1, 1}, {CUDA_R_32F, 1, 1}, {CUDA_R_32F, 1, 1});
    const auto proposals = product.proposals(0, CUBLASLT_REDUCTION_SCHEME_NONE);
    product.run(&host, fine.data(), fine.data(), nullptr, &proposals.front().algo);
    EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaErrorIllegalAddress);
  });
}

}  // namespace
}  // namespace splitbench::standin

// The search for an algorithm: what the caller excludes is not proposed, and what it chooses is
// what runs.
#include <cuda_bf16.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/standin/cublaslt/multiplication.h"
#include "tests/standin/test/device_values.h"
#include "tests/standin/test/scenario_run.h"

namespace splitbench::standin {
namespace {

constexpr const char* kScenario = R"({"devices": 1})";
constexpr Placement kSquare{CUDA_R_32F, 16, 16};
constexpr std::size_t kSums = 2 * 16 * 16 * sizeof(float);  // of two splits

std::uint32_t reduction_scheme(const cublasLtMatmulAlgo_t& algorithm) {
  std::uint32_t scheme = 0;
  std::size_t written = 0;
  EXPECT_EQ(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME,
                                                 &scheme, sizeof scheme, &written),
            CUBLAS_STATUS_SUCCESS);
  return scheme;
}

std::vector<std::uint32_t> schemes_offered(std::uint64_t workspace_bytes, std::uint32_t mask) {
  Multiplication product(kSquare, kSquare, kSquare);
  std::vector<std::uint32_t> schemes;
  for (const auto& proposal : product.proposals(workspace_bytes, mask)) {
    EXPECT_LE(proposal.workspaceSize, workspace_bytes);
    schemes.push_back(reduction_scheme(proposal.algo));
  }
  std::sort(schemes.begin(), schemes.end());
  return schemes;
}

using Schemes = std::vector<std::uint32_t>;

TEST(Search, ProposesWhatTheWorkspaceHasRoomFor) {
  run_alone(kScenario, [] {
    EXPECT_EQ(schemes_offered(0, CUBLASLT_REDUCTION_SCHEME_MASK), (Schemes{0, 0}));
    EXPECT_EQ(schemes_offered(kSums - 1, CUBLASLT_REDUCTION_SCHEME_MASK), (Schemes{0, 0}));
    EXPECT_EQ(schemes_offered(kSums, CUBLASLT_REDUCTION_SCHEME_MASK),
              (Schemes{0, 0, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE,
                       CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE}));
  });
}

TEST(Search, LeavesOutExcludedReductions) {
  run_alone(kScenario, [] {
    EXPECT_EQ(schemes_offered(kSums, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE),
              (Schemes{0, 0, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE}));
    EXPECT_EQ(schemes_offered(kSums, CUBLASLT_REDUCTION_SCHEME_NONE), (Schemes{0, 0}));
  });
}

TEST(Search, RefusesShapesThatDoNotFit) {
  run_alone(kScenario, [] {
    Multiplication wrong_inner({CUDA_R_32F, 2, 3}, {CUDA_R_32F, 4, 5}, {CUDA_R_32F, 2, 5});
    EXPECT_TRUE(wrong_inner.proposals(0, CUBLASLT_REDUCTION_SCHEME_MASK).empty());
    EXPECT_EQ(wrong_inner.status, CUBLAS_STATUS_INVALID_VALUE);
    Multiplication wrong_types({CUDA_R_16F, 2, 3}, {CUDA_R_16BF, 3, 5}, {CUDA_R_32F, 2, 5});
    EXPECT_TRUE(wrong_types.proposals(0, CUBLASLT_REDUCTION_SCHEME_MASK).empty());
    EXPECT_EQ(wrong_types.status, CUBLAS_STATUS_NOT_SUPPORTED);
  });
}

TEST(Search, AnAlgorithmWithoutItsWorkspaceDoesNotRun) {
  run_alone(kScenario, [] {
    Multiplication product(kSquare, kSquare, kSquare);
    const DeviceValues<float> values(std::vector<float>(256));
    const DeviceValues<float> workspace(std::vector<float>(kSums / sizeof(float)));
    for (const auto& proposal : product.proposals(kSums, CUBLASLT_REDUCTION_SCHEME_MASK)) {
      const auto run = [&](void* memory, std::size_t bytes) {
        return product.run(values.data(), values.data(), values.data(), nullptr, &proposal.algo,
                           memory, bytes);
      };
      EXPECT_EQ(run(workspace.data(), kSums), CUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(run(nullptr, 0),
                proposal.workspaceSize == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE);
    }
  });
}

// Stored as 64 bytes and used again, as the library allows for the same version.
TEST(Search, AnAlgorithmCanBeStored) {
  run_alone(kScenario, [] {
    Multiplication product(kSquare, kSquare, kSquare);
    for (const auto& proposal : product.proposals(kSums, CUBLASLT_REDUCTION_SCHEME_MASK)) {
      const std::vector<std::uint64_t> stored(std::begin(proposal.algo.data),
                                              std::end(proposal.algo.data));
      cublasLtMatmulAlgo_t restored{};
      std::copy(stored.begin(), stored.end(), restored.data);
      cublasLtMatmulHeuristicResult_t result{};
      EXPECT_EQ(product.check(restored, &result), CUBLAS_STATUS_SUCCESS);
      EXPECT_EQ(result.workspaceSize, proposal.workspaceSize);
      restored.data[0] ^= 0x40;
      EXPECT_EQ(product.check(restored, &result), CUBLAS_STATUS_INVALID_VALUE);
    }
  });
}

// In bf16, 8 bits of precision: 256 + 1.5 and 256 + 0.875 are the sums of the two halves of the
// inner dimension. Added in fp32: 514.375, rounded (to multiples of 4) to 516. Each rounded first
// (to multiples of 2): 258 + 256 = 514, a tie, rounded to even: 512.
TEST(Search, SumsInTheOutputTypeLoseWhatSumsInFp32Keep) {
  run_alone(kScenario, [] {
    std::vector<__nv_bfloat16> factors;
    for (const float value : {256.0F, 1.5F, 256.0F, 0.875F}) {
      factors.push_back(__float2bfloat16(value));
    }
    const DeviceValues<__nv_bfloat16> a(factors);
    const DeviceValues<__nv_bfloat16> ones(std::vector<__nv_bfloat16>(4, __float2bfloat16(1)));
    const DeviceValues<__nv_bfloat16> d(std::vector<__nv_bfloat16>(1));
    const DeviceValues<float> workspace({0, 0});
    Multiplication product({CUDA_R_16BF, 1, 4}, {CUDA_R_16BF, 4, 1}, {CUDA_R_16BF, 1, 1});
    const auto proposals = product.proposals(8, CUBLASLT_REDUCTION_SCHEME_MASK);
    ASSERT_EQ(proposals.size(), 4U);
    for (const auto& proposal : proposals) {
      ASSERT_EQ(product.run(a.data(), ones.data(), d.data(), nullptr, &proposal.algo,
                            workspace.data(), 8),
                CUBLAS_STATUS_SUCCESS);
      const float expected =
          reduction_scheme(proposal.algo) == CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE ? 512 : 516;
      EXPECT_EQ(__bfloat162float(d.read()[0]), expected);
    }
  });
}

}  // namespace
}  // namespace splitbench::standin

// One product through the interface, with every choice a caller has, for tests.
#pragma once

#include <cublasLt.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace splitbench::standin {

// A matrix as it lies in memory.
struct Placement {
  cudaDataType_t type = CUDA_R_32F;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  cublasLtOrder_t order = CUBLASLT_ORDER_COL;
  std::int64_t padding = 0;  // elements between one column (row) and the next

  std::int64_t leading() const { return (order == CUBLASLT_ORDER_COL ? rows : columns) + padding; }
  std::size_t elements() const {
    return static_cast<std::size_t>(leading() * (order == CUBLASLT_ORDER_COL ? columns : rows));
  }
  std::size_t index(std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(order == CUBLASLT_ORDER_COL ? column * leading() + row
                                                                : row * leading() + column);
  }
};

class Multiplication {
 public:
  Multiplication(const Placement& a, const Placement& b, const Placement& d,
                 cublasComputeType_t compute = CUBLAS_COMPUTE_32F,
                 cudaDataType_t scale = CUDA_R_32F)
      : a_(layout(a)), b_(layout(b)), d_(layout(d)) {
    EXPECT_EQ(cublasLtCreate(&handle_), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasLtMatmulDescCreate(&description_, compute, scale), CUBLAS_STATUS_SUCCESS);
  }
  ~Multiplication() {
    for (cublasLtMatrixLayout_t one : {a_, b_, d_}) cublasLtMatrixLayoutDestroy(one);
    cublasLtMatmulDescDestroy(description_);
    cublasLtDestroy(handle_);
  }
  Multiplication(const Multiplication&) = delete;
  Multiplication& operator=(const Multiplication&) = delete;

  template <class Value>
  void set(cublasLtMatmulDescAttributes_t attribute, const Value& value) {
    EXPECT_EQ(cublasLtMatmulDescSetAttribute(description_, attribute, &value, sizeof value),
              CUBLAS_STATUS_SUCCESS);
  }

  // The search's answer.
  std::vector<cublasLtMatmulHeuristicResult_t> proposals(std::uint64_t workspace_bytes,
                                                         std::uint32_t reduction_schemes) {
    cublasLtMatmulPreference_t preference = nullptr;
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                         &workspace_bytes, sizeof workspace_bytes);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
                                         &reduction_schemes, sizeof reduction_schemes);
    std::vector<cublasLtMatmulHeuristicResult_t> found(8);
    int count = 0;
    status = cublasLtMatmulAlgoGetHeuristic(handle_, description_, a_, b_, d_, d_, preference, 8,
                                            found.data(), &count);
    cublasLtMatmulPreferenceDestroy(preference);
    found.resize(static_cast<std::size_t>(count));
    return found;
  }

  // alpha and beta in the scale type.
  template <class Scale = float>
  cublasStatus_t run(const void* a, const void* b, void* d, cudaStream_t stream,
                     const cublasLtMatmulAlgo_t* algorithm = nullptr, void* workspace = nullptr,
                     std::size_t workspace_bytes = 0, Scale alpha = 1, Scale beta = 0) {
    return cublasLtMatmul(handle_, description_, &alpha, a, a_, b, b_, &beta, d, d_, d, d_,
                          algorithm, workspace, workspace_bytes, stream);
  }

  cublasStatus_t check(const cublasLtMatmulAlgo_t& algorithm,
                       cublasLtMatmulHeuristicResult_t* result) {
    return cublasLtMatmulAlgoCheck(handle_, description_, a_, b_, d_, d_, &algorithm, result);
  }

  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;  // of the latest search

 private:
  static cublasLtMatrixLayout_t layout(const Placement& placement) {
    cublasLtMatrixLayout_t made = nullptr;
    EXPECT_EQ(cublasLtMatrixLayoutCreate(
                  &made, placement.type, static_cast<std::uint64_t>(placement.rows),
                  static_cast<std::uint64_t>(placement.columns), placement.leading()),
              CUBLAS_STATUS_SUCCESS);
    const std::int32_t order = placement.order;
    EXPECT_EQ(
        cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order),
        CUBLAS_STATUS_SUCCESS);
    return made;
  }

  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t description_ = nullptr;
  cublasLtMatrixLayout_t a_;
  cublasLtMatrixLayout_t b_;
  cublasLtMatrixLayout_t d_;
};

}  // namespace splitbench::standin

// Products of row-major matrices by cuBLASLt, and nothing else: result = left right, or
// ReLU(left right), accumulated in 32 bits.
//
// left is rows x inner, right inner x columns, result rows x columns, of one stored type, without
// padding, aligned to 256 bytes. The library thinks in columns: it is asked for the transposed
// product, which is the same memory. Compute type: CUBLAS_COMPUTE_32F; for tf32
// CUBLAS_COMPUTE_32F_FAST_TF32. Partial sums in the type of the output (split-K) are excluded.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/cuda/runtime.h"
#include "model/operation.h"

namespace splitbench::cuda {

// The library on this process's device, with one workspace for all products: they run one after
// another on one stream.
class MatmulLibrary {
 public:
  MatmulLibrary();
  MatmulLibrary(const MatmulLibrary&) = delete;
  MatmulLibrary& operator=(const MatmulLibrary&) = delete;
  ~MatmulLibrary();

  static std::string version();  // "13.1.0"
  static std::string path();     // of the loaded library

  cublasLtHandle_t get() const { return handle_; }
  void* workspace() const { return workspace_.data(); }
  std::size_t workspace_bytes() const { return workspace_.bytes(); }

 private:
  cublasLtHandle_t handle_ = nullptr;
  DeviceMemory workspace_;
};

struct Product {
  DataType dtype = DataType::fp32;
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  bool relu = false;
};

struct Operands {
  const void* left = nullptr;
  const void* right = nullptr;
  void* result = nullptr;
};

// One product with the algorithm it uses.
class Matmul {
 public:
  // Times the library's proposals on the operands and takes the fastest. Waits for the stream.
  static Matmul search(const MatmulLibrary& library, const Product& product,
                       const Operands& operands, cudaStream_t stream);
  // The library's first proposal: for what is not timed.
  static Matmul first_proposal(const MatmulLibrary& library, const Product& product);
  // What search() chose before, by its choice(); nothing where the library does not take it here.
  static std::optional<Matmul> restore(const MatmulLibrary& library, const Product& product,
                                       const nlohmann::json& choice);

  // Queues the product; where the library has no algorithm with ReLU, kernels::bias_relu follows.
  void run(const Operands& operands, cudaStream_t stream) const;

  const Product& product() const { return product_; }
  // The algorithm as the library numbers it, its workspace, layout and leading dimensions, whether
  // ReLU is part of it, how long each proposal took; `state` is what restore() takes.
  const nlohmann::json& choice() const { return choice_; }

 private:
  // Descriptions are memory of the host: destroying them waits for no device.
  template <auto destroy>
  struct Destroy {
    template <class T>
    void operator()(T* description) const {
      destroy(description);
    }
  };
  using Description =
      std::unique_ptr<cublasLtMatmulDescOpaque_t, Destroy<cublasLtMatmulDescDestroy>>;
  using Layout =
      std::unique_ptr<cublasLtMatrixLayoutOpaque_t, Destroy<cublasLtMatrixLayoutDestroy>>;
  using Algorithm = cublasLtMatmulAlgo_t;

  struct Plan;

  Matmul(const MatmulLibrary& library, const Product& product, bool fuse_relu);

  static Plan plan(const MatmulLibrary& library, const Product& product);
  static Description describe(const Product& product, bool fuse_relu);
  static Layout layout(DataType dtype, std::int64_t rows, std::int64_t columns);
  std::vector<Algorithm> proposals() const;
  double time(const Algorithm& algorithm, const Operands& operands, cudaStream_t stream) const;
  void multiply(const Algorithm& algorithm, const Operands& operands, cudaStream_t stream) const;
  void choose(const Algorithm& algorithm);

  const MatmulLibrary* library_;
  Product product_;
  bool fused_relu_;
  Description description_;
  Layout left_;
  Layout right_;
  Layout result_;
  Algorithm algorithm_{};
  nlohmann::json choice_;
};

}  // namespace splitbench::cuda

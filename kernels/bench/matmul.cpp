// Products by cuBLASLt at the shapes of a layer: tokens x width x d_model, row-major, fp32
// accumulation also of partial sums, the first algorithm of the library's heuristics.
#include <cublasLt.h>

#include "kernels/bench/device.h"
#include "kernels/fill.h"

namespace splitbench::kernels::bench {
namespace {

constexpr std::size_t kWorkspace = std::size_t{32} << 20;

struct Way {
  const char* name;
  Element element;
  cudaDataType_t type;
  cublasComputeType_t compute;
};
constexpr Way kWays[] = {
    {"fp32", Element::fp32, CUDA_R_32F, CUBLAS_COMPUTE_32F},
    {"tf32", Element::fp32, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32},
    {"fp16", Element::fp16, CUDA_R_16F, CUBLAS_COMPUTE_32F},
    {"bf16", Element::bf16, CUDA_R_16BF, CUBLAS_COMPUTE_32F},
};

void check_lt(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuBLASLt: ") + cublasLtGetStatusString(status));
}

// result (tokens x width) = left (tokens x depth) right (depth x width). Row-major matrices are the
// transposes of the library's column-major ones, so it is asked for result' = right' left'.
class Product {
 public:
  Product(const Way& way, std::int64_t tokens, std::int64_t width, std::int64_t depth)
      : left_(bytes(way, tokens, depth)),
        right_(bytes(way, depth, width)),
        result_(bytes(way, tokens, width)),
        workspace_(kWorkspace) {
    fill(left_, way.element, tokens, depth);
    fill(right_, way.element, depth, width);
    check_lt(cublasLtCreate(&handle_));
    check_lt(cublasLtMatmulDescCreate(&how_, way.compute, CUDA_R_32F));
    check_lt(cublasLtMatrixLayoutCreate(&right_layout_, way.type, width, depth, width));
    check_lt(cublasLtMatrixLayoutCreate(&left_layout_, way.type, depth, tokens, depth));
    check_lt(cublasLtMatrixLayoutCreate(&result_layout_, way.type, width, tokens, width));
    choose();
  }
  ~Product() {
    cublasLtMatrixLayoutDestroy(result_layout_);
    cublasLtMatrixLayoutDestroy(left_layout_);
    cublasLtMatrixLayoutDestroy(right_layout_);
    cublasLtMatmulDescDestroy(how_);
    cublasLtDestroy(handle_);
  }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;

  void queue(cudaStream_t stream) const {
    const float one = 1.0F;
    const float zero = 0.0F;
    check_lt(cublasLtMatmul(handle_, how_, &one, right_.data(), right_layout_, left_.data(),
                            left_layout_, &zero, result_.data(), result_layout_, result_.data(),
                            result_layout_, &chosen_.algo, workspace_.data(), kWorkspace, stream));
  }

 private:
  static std::size_t bytes(const Way& way, std::int64_t rows, std::int64_t columns) {
    return static_cast<std::size_t>(rows * columns) * size_of(way.element);
  }

  static void fill(const Buffer& buffer, Element element, std::int64_t rows, std::int64_t columns) {
    const Matrix view{.data = buffer.data(),
                      .element = element,
                      .rows = rows,
                      .columns = columns,
                      .leading = columns};
    check(fill_normal(view, 1, {}, 1.0F, nullptr));
    check(cudaDeviceSynchronize());
  }

  void choose() {
    cublasLtMatmulPreference_t limits = nullptr;
    check_lt(cublasLtMatmulPreferenceCreate(&limits));
    check_lt(cublasLtMatmulPreferenceSetAttribute(limits, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                  &kWorkspace, sizeof kWorkspace));
    const std::uint32_t schemes = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    check_lt(cublasLtMatmulPreferenceSetAttribute(
        limits, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &schemes, sizeof schemes));
    int found = 0;
    const cublasStatus_t status =
        cublasLtMatmulAlgoGetHeuristic(handle_, how_, right_layout_, left_layout_, result_layout_,
                                       result_layout_, limits, 1, &chosen_, &found);
    cublasLtMatmulPreferenceDestroy(limits);
    check_lt(status);
    if (found == 0) throw std::runtime_error("cuBLASLt knows no algorithm for this shape");
  }

  Buffer left_;
  Buffer right_;
  Buffer result_;
  Buffer workspace_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t how_ = nullptr;
  cublasLtMatrixLayout_t right_layout_ = nullptr;
  cublasLtMatrixLayout_t left_layout_ = nullptr;
  cublasLtMatrixLayout_t result_layout_ = nullptr;
  cublasLtMatmulHeuristicResult_t chosen_{};
};

void run_matmul(benchmark::State& state, const Way& way) {
  const std::int64_t tokens = state.range(0);
  const std::int64_t width = state.range(1);
  const std::int64_t depth = state.range(2);
  const Product product(way, tokens, width, depth);
  time_on_device(state, [&](cudaStream_t stream) { product.queue(stream); });
  count_flops(state, 2.0 * static_cast<double>(tokens) * static_cast<double>(width) *
                         static_cast<double>(depth));
}

}  // namespace

void register_matmuls(const std::vector<Shape>& shapes) {
  for (const Way& way : kWays) {
    auto* const matmul =
        benchmark::RegisterBenchmark((std::string("matmul/") + way.name).c_str(),
                                     [&way](benchmark::State& state) { run_matmul(state, way); });
    matmul->ArgNames({"tokens", "width", "depth"})->UseManualTime();
    for (const Shape& shape : shapes) matmul->Args({shape.tokens, shape.width, shape.depth});
    if (shapes.empty()) matmul->ArgsProduct({{16, 512, 4096}, {4096, 8192, 16384}, {4096}});
  }
}

}  // namespace splitbench::kernels::bench

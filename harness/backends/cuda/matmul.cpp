#include "harness/backends/cuda/matmul.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "harness/backends/cuda/loaded_library.h"
#include "harness/backends/cuda/memory_need.h"
#include "harness/error.h"
#include "kernels/bias_relu.h"

namespace splitbench::cuda {
namespace {

using Json = nlohmann::json;
using Algorithm = cublasLtMatmulAlgo_t;

constexpr int kProposals = 8;
constexpr int kTimedRuns = 5;

void check(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw HarnessError(
      fmt::format("{}: {} ({})", what, cublasLtGetStatusName(status), static_cast<int>(status)));
}

cudaDataType_t stored_type(DataType dtype) {
  switch (element_of(dtype)) {
    case kernels::Element::fp16:
      return CUDA_R_16F;
    case kernels::Element::bf16:
      return CUDA_R_16BF;
    case kernels::Element::fp32:
      break;
  }
  return CUDA_R_32F;
}

cublasComputeType_t compute_type(DataType dtype) {
  return dtype == DataType::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

// A setting of an algorithm; nothing where this version of the library does not have it.
template <class Value>
std::optional<Value> setting(const Algorithm& algorithm,
                             cublasLtMatmulAlgoConfigAttributes_t attribute) {
  Value value{};
  std::size_t written = 0;
  const cublasStatus_t status =
      cublasLtMatmulAlgoConfigGetAttribute(&algorithm, attribute, &value, sizeof value, &written);
  if (status != CUBLAS_STATUS_SUCCESS) return std::nullopt;
  return value;
}

// Whether it keeps partial sums in 32 bits: asked for in the preference, looked at here.
bool sums_in_compute_type(const Algorithm& algorithm) {
  const auto scheme = setting<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME)
                          .value_or(CUBLASLT_REDUCTION_SCHEME_NONE);
  return scheme == CUBLASLT_REDUCTION_SCHEME_NONE ||
         scheme == CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
}

Json settings_json(const Algorithm& algorithm) {
  Json settings;
  const auto add = [&settings](const char* key, const auto& value) {
    if (value) settings[key] = *value;
  };
  add("id", setting<std::int32_t>(algorithm, CUBLASLT_ALGO_CONFIG_ID));
  add("tile", setting<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID));
  add("stages", setting<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID));
  add("split_k", setting<std::int32_t>(algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM));
  add("reduction", setting<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME));
  add("swizzle", setting<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING));
  add("custom", setting<std::uint32_t>(algorithm, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION));
  add("inner_shape", setting<std::uint16_t>(algorithm, CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID));
  add("cluster_shape", setting<std::uint16_t>(algorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID));
  return settings;
}

// The library promises that the structure can be stored, and restored by the same version. In hex:
// 64-bit numbers are not exact everywhere that JSON is read.
std::string state_text(const Algorithm& algorithm) {
  std::string text;
  for (const std::uint64_t word : algorithm.data) text += fmt::format("{:016x}", word);
  return text;
}

std::optional<Algorithm> state_from(std::string_view text) {
  constexpr std::size_t kDigits = 16;
  Algorithm algorithm{};
  if (text.size() != std::size(algorithm.data) * kDigits) return std::nullopt;
  for (std::uint64_t& word : algorithm.data) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + kDigits, word, 16);
    if (error != std::errc() || end != text.data() + kDigits) return std::nullopt;
    text.remove_prefix(kDigits);
  }
  return algorithm;
}

}  // namespace

MatmulLibrary::MatmulLibrary() : workspace_(kWorkspaceBytes) {
  check(cublasLtCreate(&handle_), "cublasLtCreate");
}

MatmulLibrary::~MatmulLibrary() {
  if (std::uncaught_exceptions() == 0) cublasLtDestroy(handle_);
}

std::string MatmulLibrary::version() {
  const std::size_t version = cublasLtGetVersion();
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

std::string MatmulLibrary::path() {
  return library_of(reinterpret_cast<const void*>(&cublasLtGetVersion));
}

// A product ready to run but for its algorithm, and the library's proposals for that.
struct Matmul::Plan {
  Matmul matmul;
  std::vector<Algorithm> proposals;
};

Matmul::Matmul(const MatmulLibrary& library, const Product& product, bool fuse_relu)
    : library_(&library),
      product_(product),
      fused_relu_(fuse_relu),
      description_(describe(product, fuse_relu)),
      left_(layout(product.dtype, product.rows, product.inner)),
      right_(layout(product.dtype, product.inner, product.columns)),
      result_(layout(product.dtype, product.rows, product.columns)) {}

Matmul::Description Matmul::describe(const Product& product, bool fuse_relu) {
  cublasLtMatmulDesc_t raw = nullptr;
  check(cublasLtMatmulDescCreate(&raw, compute_type(product.dtype), CUDA_R_32F),
        "cublasLtMatmulDescCreate");
  Description description(raw);
  const cublasLtEpilogue_t epilogue =
      fuse_relu ? CUBLASLT_EPILOGUE_RELU : CUBLASLT_EPILOGUE_DEFAULT;
  check(cublasLtMatmulDescSetAttribute(raw, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                       sizeof epilogue),
        "cublasLtMatmulDescSetAttribute");
  return description;
}

// Row-major rows x columns as the library sees it: its transpose, in columns.
Matmul::Layout Matmul::layout(DataType dtype, std::int64_t rows, std::int64_t columns) {
  cublasLtMatrixLayout_t raw = nullptr;
  check(cublasLtMatrixLayoutCreate(&raw, stored_type(dtype), static_cast<std::uint64_t>(columns),
                                   static_cast<std::uint64_t>(rows), columns),
        "cublasLtMatrixLayoutCreate");
  return Layout(raw);
}

std::vector<Algorithm> Matmul::proposals() const {
  cublasLtMatmulPreference_t raw = nullptr;
  check(cublasLtMatmulPreferenceCreate(&raw), "cublasLtMatmulPreferenceCreate");
  const std::unique_ptr<cublasLtMatmulPreferenceOpaque_t, Destroy<cublasLtMatmulPreferenceDestroy>>
      preference(raw);
  const auto prefer = [raw](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
    check(cublasLtMatmulPreferenceSetAttribute(raw, attribute, &value, sizeof value),
          "cublasLtMatmulPreferenceSetAttribute");
  };
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
         static_cast<std::uint64_t>(library_->workspace_bytes()));
  prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
         static_cast<std::uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));

  std::vector<cublasLtMatmulHeuristicResult_t> found(kProposals);
  int count = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
      library_->get(), description_.get(), right_.get(), left_.get(), result_.get(), result_.get(),
      raw, kProposals, found.data(), &count);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) return {};
  check(status, "cublasLtMatmulAlgoGetHeuristic");
  found.resize(static_cast<std::size_t>(count));
  std::vector<Algorithm> usable;
  for (const cublasLtMatmulHeuristicResult_t& proposal : found) {
    if (proposal.state == CUBLAS_STATUS_SUCCESS && sums_in_compute_type(proposal.algo)) {
      usable.push_back(proposal.algo);
    }
  }
  return usable;
}

Matmul::Plan Matmul::plan(const MatmulLibrary& library, const Product& product) {
  for (const bool fuse_relu : {product.relu, false}) {
    Matmul matmul(library, product, fuse_relu);
    std::vector<Algorithm> proposals = matmul.proposals();
    if (!proposals.empty()) return {std::move(matmul), std::move(proposals)};
  }
  throw HarnessError(fmt::format(
      "cuBLASLt has no algorithm for {} x {} times {} x {} in {} with sums in 32 bits",
      product.rows, product.inner, product.inner, product.columns, name(product.dtype)));
}

void Matmul::choose(const Algorithm& algorithm) {
  algorithm_ = algorithm;
  choice_ = {{"algorithm", settings_json(algorithm)},
             {"compute_type", product_.dtype == DataType::tf32 ? "32F_FAST_TF32" : "32F"},
             {"relu", !product_.relu ? "none"
                      : fused_relu_  ? "epilogue"
                                     : "kernel"},
             {"workspace_bytes", library_->workspace_bytes()},
             {"order", "row-major"},
             {"leading", {product_.inner, product_.columns, product_.columns}},
             {"state", state_text(algorithm)}};
}

Matmul Matmul::search(const MatmulLibrary& library, const Product& product,
                      const Operands& operands, cudaStream_t stream) {
  auto [matmul, proposals] = plan(library, product);
  std::vector<double> seconds;
  for (const Algorithm& algorithm : proposals) {
    seconds.push_back(matmul.time(algorithm, operands, stream));
  }
  const auto fastest = std::min_element(seconds.begin(), seconds.end());
  matmul.choose(proposals[static_cast<std::size_t>(fastest - seconds.begin())]);
  matmul.choice_["proposals_s"] = seconds;
  return std::move(matmul);
}

Matmul Matmul::first_proposal(const MatmulLibrary& library, const Product& product) {
  auto [matmul, proposals] = plan(library, product);
  matmul.choose(proposals.front());
  return std::move(matmul);
}

std::optional<Matmul> Matmul::restore(const MatmulLibrary& library, const Product& product,
                                      const Json& choice) {
  const auto algorithm = state_from(choice.at("state").get<std::string>());
  if (!algorithm) return std::nullopt;
  Matmul matmul(library, product, choice.at("relu") == "epilogue");
  cublasLtMatmulHeuristicResult_t result{};
  const cublasStatus_t status = cublasLtMatmulAlgoCheck(
      library.get(), matmul.description_.get(), matmul.right_.get(), matmul.left_.get(),
      matmul.result_.get(), matmul.result_.get(), &*algorithm, &result);
  if (status != CUBLAS_STATUS_SUCCESS || result.workspaceSize > library.workspace_bytes()) {
    return std::nullopt;
  }
  matmul.choose(*algorithm);
  matmul.choice_ = choice;
  return matmul;
}

double Matmul::time(const Algorithm& algorithm, const Operands& operands,
                    cudaStream_t stream) const {
  const Event start = make_event();
  const Event end = make_event();
  multiply(algorithm, operands, stream);
  record(start.get(), stream);
  for (int i = 0; i < kTimedRuns; ++i) multiply(algorithm, operands, stream);
  record(end.get(), stream);
  cuda::check(cudaEventSynchronize(end.get()), "cudaEventSynchronize");
  return seconds_between(start.get(), end.get()) / kTimedRuns;
}

void Matmul::multiply(const Algorithm& algorithm, const Operands& operands,
                      cudaStream_t stream) const {
  const float one = 1.0F;
  const float zero = 0.0F;
  check(cublasLtMatmul(library_->get(), description_.get(), &one, operands.right, right_.get(),
                       operands.left, left_.get(), &zero, operands.result, result_.get(),
                       operands.result, result_.get(), &algorithm, library_->workspace(),
                       library_->workspace_bytes(), stream),
        "cublasLtMatmul");
}

void Matmul::run(const Operands& operands, cudaStream_t stream) const {
  multiply(algorithm_, operands, stream);
  if (!product_.relu || fused_relu_) return;
  cuda::check(kernels::bias_relu({.data = operands.result,
                                  .element = element_of(product_.dtype),
                                  .rows = product_.rows,
                                  .columns = product_.columns,
                                  .leading = product_.columns},
                                 nullptr, stream),
              "kernels::bias_relu");
}

}  // namespace splitbench::cuda

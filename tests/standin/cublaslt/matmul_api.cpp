// Exported: the search for an algorithm and the product itself.
#include <cuda_runtime_api.h>

#include <memory>
#include <utility>

#include "tests/standin/cublaslt/algorithm.h"
#include "tests/standin/cublaslt/captured_layers.h"
#include "tests/standin/cublaslt/cost.h"
#include "tests/standin/cublaslt/problem.h"
#include "tests/standin/device.h"
#include "tests/standin/memory.h"
#include "tests/standin/scenario.h"
#include "tests/standin/stream.h"

namespace splitbench::standin {
namespace {

Layouts layouts_of(cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                   cublasLtMatrixLayout_t d) {
  return {layout(a), layout(b), layout(c), layout(d)};
}

cublasLtMatmulHeuristicResult_t proposal(const Algorithm& algorithm, const Product& product) {
  cublasLtMatmulHeuristicResult_t result{};
  result.algo = opaque(algorithm.configuration);
  result.workspaceSize = algorithm.workspace_bytes(product.rows(), product.columns());
  result.state = CUBLAS_STATUS_SUCCESS;
  result.wavesCount = 1;
  return result;
}

// Factors in the scale type.
double factor(const void* value, std::int32_t scale_type) {
  return load<double>(value, static_cast<cudaDataType_t>(scale_type), 0);
}

bool reaches(int device, const MatrixView& view) {
  const std::int64_t elements = view.index(view.rows - 1, view.columns - 1) + 1;
  return accessible(device, view.data,
                    static_cast<std::size_t>(elements) * element_bytes(view.type));
}

bool reaches_all(int device, const Product& product) {
  return reaches(device, product.a) && reaches(device, product.b) && reaches(device, product.d) &&
         (product.beta == 0 || reaches(device, product.c)) &&
         (product.bias == nullptr ||
          accessible(device, product.bias,
                     static_cast<std::size_t>(product.rows()) * element_bytes(product.bias_type)));
}

// One product as an operation of a stream.
struct Launch {
  Product product;
  double slowness = 1;
  std::shared_ptr<CapturedLayers> layers;  // of the graph it is part of; null outside graphs

  void operator()(Turn& turn) const {
    if (!reaches_all(turn.device(), product)) {
      raise(turn.device(), cudaErrorIllegalAddress);
      return;
    }
    multiply(product);
    turn.wait_for(turn.now() + from_seconds(delay_seconds(turn)));
    turn.spend_in_all(stated_seconds(product) * slowness);
  }

  // What the scenario puts before the first product of a split layer: composition_s and skew_s.
  double delay_seconds(const Turn& turn) const {
    if (layers == nullptr || !product.relu || !is_shard(product)) return 0;
    const Scenario& stated = scenario();
    double seconds = 0;
    if (turn.previous() == "serial_part") seconds += stated.composition_s / layers->count();
    const Seat seat =
        seat_of(turn.device()).value_or(Seat{.rank = turn.device(), .ranks = stated.devices});
    if (turn.occurrence() % seat.ranks == seat.rank) seconds += stated.skew_s;
    return seconds;
  }
};

// The bias, where the epilogue has one.
cublasStatus_t add_bias(const MatmulDescription& description, Product* product) {
  if ((description.epilogue & CUBLASLT_EPILOGUE_BIAS) == 0) return CUBLAS_STATUS_SUCCESS;
  if (description.bias == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  product->bias = description.bias;
  product->bias_type = description.bias_type < 0
                           ? product->d.type
                           : static_cast<cudaDataType_t>(description.bias_type);
  return CUBLAS_STATUS_SUCCESS;
}

// The algorithm that was asked for, or the first one where none was.
cublasStatus_t choose(const cublasLtMatmulAlgo_t* wanted, std::size_t workspace_bytes,
                      Launch* launch) {
  const Algorithm* algorithm = wanted == nullptr ? &algorithms().front() : find_algorithm(*wanted);
  if (algorithm == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  Product& product = launch->product;
  if (algorithm->workspace_bytes(product.rows(), product.columns()) > workspace_bytes) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  product.splits = algorithm->configuration.splits;
  product.sums_in_output_type =
      algorithm->configuration.reduction_scheme == CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE;
  launch->slowness = algorithm->slowness;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace splitbench::standin

using namespace splitbench::standin;

extern "C" {

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
                                              cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t wanted, int most,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int* count) {
  if (handle == nullptr || wanted == nullptr || results == nullptr || count == nullptr ||
      most <= 0) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *count = 0;
  Product product;
  const cublasStatus_t status = describe(description(operation), layouts_of(a, b, c, d), &product);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  note_search(product);
  for (const Algorithm& algorithm : algorithms()) {
    if (*count == most) break;
    if (!is_allowed(algorithm, *preference(wanted), product.rows(), product.columns())) continue;
    results[(*count)++] = proposal(algorithm, product);
  }
  return *count == 0 ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t* algo,
                                       cublasLtMatmulHeuristicResult_t* result) {
  if (handle == nullptr || algo == nullptr || result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  Product product;
  const cublasStatus_t status = describe(description(operation), layouts_of(a, b, c, d), &product);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  note_search(product);
  const Algorithm* algorithm = find_algorithm(*algo);
  if (algorithm == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const cublasLtMatmulAlgo_t unchanged = result->algo;
  *result = proposal(*algorithm, product);
  result->algo = unchanged;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    void* buffer, std::size_t size,
                                                    std::size_t* written) {
  const Algorithm* algorithm = algo == nullptr ? nullptr : find_algorithm(*algo);
  if (algorithm == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  AlgorithmConfiguration configuration = algorithm->configuration;
  return read(field(configuration, attribute), buffer, size, written);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                              const void* alpha, const void* a_data, cublasLtMatrixLayout_t a,
                              const void* b_data, cublasLtMatrixLayout_t b, const void* beta,
                              const void* c_data, cublasLtMatrixLayout_t c, void* d_data,
                              cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t* algo,
                              void* workspace, std::size_t workspace_bytes, cudaStream_t stream) {
  for (const void* needed : {static_cast<const void*>(handle), alpha, beta, a_data, b_data,
                             static_cast<const void*>(d_data)}) {
    if (needed == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  }
  Launch launch;
  Product& product = launch.product;
  const MatmulDescription* described = description(operation);
  cublasStatus_t status = describe(described, layouts_of(a, b, c, d), &product);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  product.a.data = a_data;
  product.b.data = b_data;
  product.c.data = c_data;
  product.d.data = product.result = d_data;
  product.alpha = factor(alpha, described->scale_type);
  product.beta = factor(beta, described->scale_type);
  if (product.beta != 0 && c_data == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  status = add_bias(*described, &product);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  status = choose(algo, workspace == nullptr ? 0 : workspace_bytes, &launch);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  if (product.relu) launch.layers = count_captured_layer(stream);
  const std::string name = name_of(product);
  const cudaError_t error = enqueue(stream, {Kind::kernel, name, std::move(launch)});
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // extern "C"

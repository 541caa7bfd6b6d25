#include "tests/standin/cublaslt/algorithm.h"

#include <cstring>

namespace splitbench::standin {
namespace {

AlgorithmConfiguration configuration(std::int32_t id, std::uint32_t tile, std::int32_t splits,
                                     std::uint32_t reduction_scheme) {
  AlgorithmConfiguration result;
  result.id = id;
  result.tile = tile;
  result.splits = splits;
  result.reduction_scheme = reduction_scheme;
  return result;
}

}  // namespace

const std::vector<Algorithm>& algorithms() {
  static const auto& list = *new std::vector<Algorithm>{
      {configuration(73, CUBLASLT_MATMUL_TILE_64x64, 2, CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE),
       0.8},
      {configuration(71, CUBLASLT_MATMUL_TILE_64x64, 1, CUBLASLT_REDUCTION_SCHEME_NONE), 1.25},
      {configuration(70, CUBLASLT_MATMUL_TILE_128x128, 1, CUBLASLT_REDUCTION_SCHEME_NONE), 1.0},
      {configuration(72, CUBLASLT_MATMUL_TILE_128x64, 2, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE),
       1.1},
  };
  return list;
}

std::size_t Algorithm::workspace_bytes(std::int64_t rows, std::int64_t columns) const {
  if (configuration.splits == 1) return 0;
  return static_cast<std::size_t>(configuration.splits * rows * columns) * sizeof(float);
}

const Algorithm* find_algorithm(const cublasLtMatmulAlgo_t& wanted) {
  for (const Algorithm& algorithm : algorithms()) {
    const cublasLtMatmulAlgo_t known = opaque(algorithm.configuration);
    if (std::memcmp(&known, &wanted, sizeof known) == 0) return &algorithm;
  }
  return nullptr;
}

cublasLtMatmulAlgo_t opaque(const AlgorithmConfiguration& configuration) {
  cublasLtMatmulAlgo_t result{};
  std::memcpy(&result, &configuration, sizeof configuration);
  return result;
}

bool is_allowed(const Algorithm& algorithm, const Preference& preference, std::int64_t rows,
                std::int64_t columns) {
  const std::uint32_t scheme = algorithm.configuration.reduction_scheme;
  return algorithm.workspace_bytes(rows, columns) <= preference.workspace_bytes &&
         (scheme & preference.reduction_schemes) == scheme;
}

}  // namespace splitbench::standin

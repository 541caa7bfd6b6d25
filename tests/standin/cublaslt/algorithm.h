// The algorithms that the stand-in's search proposes.
//
// They are made to tell a careful search from a careless one: the order in which they are proposed
// is not that of their times, and the fastest one adds up partial sums in the output's type, which
// the caller has to exclude.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/standin/cublaslt/descriptors.h"

namespace splitbench::standin {

struct Algorithm {
  AlgorithmConfiguration configuration;
  double slowness = 1;  // time over the stated cost of the product

  // Room for the partial sums of all splits, in fp32 and rows x columns each.
  std::size_t workspace_bytes(std::int64_t rows, std::int64_t columns) const;
};

// In the order of proposal.
const std::vector<Algorithm>& algorithms();

// The algorithm that a caller's configuration names; null where there is none.
const Algorithm* find_algorithm(const cublasLtMatmulAlgo_t& wanted);
cublasLtMatmulAlgo_t opaque(const AlgorithmConfiguration& configuration);

// Whether a search with this preference may propose it for a result of rows x columns.
bool is_allowed(const Algorithm& algorithm, const Preference& preference, std::int64_t rows,
                std::int64_t columns);

}  // namespace splitbench::standin

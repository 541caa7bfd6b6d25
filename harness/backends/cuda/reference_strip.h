// A strip of rows of the right answer, in float64: each rank multiplies with its own shard, and the
// hosts add up what the ranks have through shared memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "harness/backends/cuda/layer.h"
#include "harness/backends/cuda/verify.h"
#include "harness/rank/correctness.h"
#include "kernels/matrix.h"
#include "kernels/reference.h"

namespace splitbench::cuda {

// Rows [first, first + rows) of a matrix.
kernels::Matrix rows_of(const kernels::Matrix& matrix, std::int64_t first, std::int64_t rows);

// What the strips of one matrix have in common.
struct ReferenceSummary {
  double largest_sum = 0.0;     // of |h||B|, and so of every partial sum on the way
  double largest_bound = 0.0;   // of an element
  double sum_of_squares = 0.0;  // of y
  // Whether the bound can tell a misplaced ReLU from a right one: not where no hidden value is
  // negative, as happens when there are few.
  bool tells_misplaced_relu = false;
};

class ReferenceStrip {
 public:
  // For shards of `width` columns.
  ReferenceStrip(const VerifyContext& context, std::int64_t width);

  // What it allocates on the device.
  static std::size_t device_bytes(const Operation& operation, std::int64_t width);

  std::int64_t rows() const { return rows_; }  // of a strip, but perhaps the last

  // y = ReLU(x A) B and its bound, for these rows of x. Waits for the stream. Collective.
  void compute(const kernels::Matrix& x, const LayerWeights& shard, const ErrorBound& bound,
               ReferenceSummary* summary);

  kernels::Doubles y() const { return part(kY); }
  kernels::Doubles bound() const { return part(kBound); }

 private:
  // What a strip consists of, each rows x d_model. The bound takes the place of its hidden terms.
  enum Part : std::size_t { kY, kHiddenTerms, kBound = kHiddenTerms, kInputTerms, kMisplaced };
  static constexpr std::size_t kParts = 4;

  kernels::Doubles part(Part part) const;
  double* on_host(Part part) const;
  std::size_t part_size() const;  // in elements
  kernels::Doubles hidden() const;
  void multiply(const kernels::Matrix& x, const LayerWeights& shard);
  void finish_parts(const ErrorBound& bound, ReferenceSummary* summary);

  const VerifyContext& c_;
  std::int64_t width_;
  std::int64_t columns_;
  std::int64_t rows_;
  std::int64_t rows_now_ = 0;
  DeviceMemory hidden_;
  DeviceMemory parts_;
  Pinned<double> on_host_;
};

}  // namespace splitbench::cuda

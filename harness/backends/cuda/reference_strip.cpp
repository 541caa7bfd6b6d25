#include "harness/backends/cuda/reference_strip.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace splitbench::cuda {
namespace {

// Elements of the largest float64 matrix of a strip: 32 MiB, whatever the operation.
constexpr std::int64_t kStripElements = std::int64_t{1} << 22;

std::int64_t rows_of_strip(const Operation& operation, std::int64_t width) {
  return std::clamp<std::int64_t>(kStripElements / std::max(width, operation.d_model), 1,
                                  operation.tokens);
}

void multiply_reference(const kernels::Doubles& left, const kernels::Matrix& right,
                        kernels::Factors factors, const kernels::Doubles& result,
                        cudaStream_t stream) {
  check(kernels::reference_product(left, right, factors, result, stream),
        "kernels::reference_product");
}

}  // namespace

kernels::Matrix rows_of(const kernels::Matrix& matrix, std::int64_t first, std::int64_t rows) {
  kernels::Matrix strip = matrix;
  strip.data = static_cast<char*>(matrix.data) +
               static_cast<std::size_t>(first * matrix.leading) * kernels::size_of(matrix.element);
  strip.rows = rows;
  return strip;
}

std::size_t ReferenceStrip::device_bytes(const Operation& operation, std::int64_t width) {
  const std::int64_t columns = width + static_cast<std::int64_t>(kParts) * operation.d_model;
  return static_cast<std::size_t>(rows_of_strip(operation, width) * columns) * sizeof(double);
}

ReferenceStrip::ReferenceStrip(const VerifyContext& context, std::int64_t width)
    : c_(context),
      width_(width),
      columns_(context.at->operation.d_model),
      rows_(rows_of_strip(context.at->operation, width)),
      hidden_(static_cast<std::size_t>(rows_ * width_) * sizeof(double)),
      parts_(kParts * static_cast<std::size_t>(rows_ * columns_) * sizeof(double)),
      on_host_(kParts * static_cast<std::size_t>(rows_ * columns_)) {}

std::size_t ReferenceStrip::part_size() const {
  return static_cast<std::size_t>(rows_now_ * columns_);
}

kernels::Doubles ReferenceStrip::part(Part part) const {
  return {.data = parts_.as<double>() + part * part_size(), .rows = rows_now_, .columns = columns_};
}

double* ReferenceStrip::on_host(Part part) const {
  return on_host_.host() + part * part_size();
}

kernels::Doubles ReferenceStrip::hidden() const {
  return {.data = hidden_.as<double>(), .rows = rows_now_, .columns = width_};
}

void ReferenceStrip::compute(const kernels::Matrix& x, const LayerWeights& shard,
                             const ErrorBound& bound, ReferenceSummary* summary) {
  rows_now_ = x.rows;
  multiply(x, shard);
  const std::size_t count = kParts * part_size();
  copy(on_host_.device(), parts_.data(), count * sizeof(double), c_.stream);
  c_.at->communicator->wait(c_.stream, c_.patience);
  sum_over_ranks({on_host_.host(), count}, *c_.region, *c_.barrier, c_.rank);
  finish_parts(bound, summary);
  copy(parts_.data(), on_host_.device(), count * sizeof(double), c_.stream);
}

// What this rank's shard gives of each part, on the device.
void ReferenceStrip::multiply(const kernels::Matrix& x, const LayerWeights& shard) {
  using kernels::Factors;
  const kernels::Matrix a = shard.a.view();
  const kernels::Matrix b = shard.b.view();
  check(kernels::reference_product(x, a, Factors::as_they_are, hidden(), c_.stream),
        "kernels::reference_product");
  multiply_reference(hidden(), b, Factors::as_they_are, part(kMisplaced), c_.stream);
  check(kernels::reference_relu(hidden(), c_.stream), "kernels::reference_relu");
  multiply_reference(hidden(), b, Factors::as_they_are, part(kY), c_.stream);
  multiply_reference(hidden(), b, Factors::magnitudes, part(kHiddenTerms), c_.stream);
  check(kernels::reference_product(x, a, Factors::magnitudes, hidden(), c_.stream),
        "kernels::reference_product");
  multiply_reference(hidden(), b, Factors::magnitudes, part(kInputTerms), c_.stream);
}

// From sums over all ranks, on the host.
void ReferenceStrip::finish_parts(const ErrorBound& weights, ReferenceSummary* summary) {
  const double* y = on_host(kY);
  const double* misplaced = on_host(kMisplaced);
  const double* input_terms = on_host(kInputTerms);
  double* bound = on_host(kBound);
  for (std::size_t i = 0; i < part_size(); ++i) {
    summary->largest_sum = std::max(summary->largest_sum, bound[i]);
    bound[i] = weights.input_weight * input_terms[i] + weights.hidden_weight * bound[i];
    summary->largest_bound = std::max(summary->largest_bound, bound[i]);
    summary->sum_of_squares += y[i] * y[i];
    summary->tells_misplaced_relu |= std::abs(std::max(misplaced[i], 0.0) - y[i]) > 2.0 * bound[i];
  }
}

}  // namespace splitbench::cuda

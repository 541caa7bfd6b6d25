// What one layer of the operation does on a CPU core: two products by OpenBLAS with one thread, and
// the parts that are ours. fp32, row-major, no padding: a leading dimension is the row's length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/rank/heartbeat.h"
#include "model/matrix_values.h"
#include "model/operation.h"

namespace splitbench::host {

// A and B of one layer, or a shard of them: columns (of A) and rows (of B) [first, first + width).
struct LayerWeights {
  std::int64_t width = 0;  // d_ff, or d_ff / N
  std::vector<float> a;    // d_model x width
  std::vector<float> b;    // width x d_model
};

// How weights and inputs are made.
enum class Values {
  random,    // about normal; A scaled by 1/sqrt(d_model), B by 1/sqrt(d_ff)
  integers,  // sparse -1, 0, 1: every sum is exact in fp32
};

// Of the whole layer.
LayerWeights make_weights(const Operation& operation, std::uint64_t seed, std::int64_t layer,
                          Values values, Heartbeat heartbeat = {});

// A copy of A's columns and B's rows [first, first + width) of a whole layer.
LayerWeights shard_of(const Operation& operation, const LayerWeights& whole, std::int64_t first,
                      std::int64_t width);

// What one rank holds of an operation.
struct Weights {
  std::vector<LayerWeights> full;   // one per layer
  std::vector<LayerWeights> shard;  // this rank's, one per layer
  LayerWeights full_integers;       // of one layer, for the check that is exact
  LayerWeights shard_integers;
};
Weights rank_weights(const Operation& operation, std::uint64_t seed, int rank, int ranks,
                     Heartbeat heartbeat = {});

// x of one layer, tokens x d_model.
std::vector<float> make_input(const Operation& operation, std::uint64_t seed, std::int64_t layer,
                              Values values);

// Whether ReLU stands where it must. `misplaced` leaves it out here, for the negative control.
enum class Relu { in_place, misplaced };

// output (tokens x d_model) = ReLU(x A) B; hidden is tokens x width, overwritten.
void mlp(const Operation& operation, std::span<const float> x, const LayerWeights& weights,
         std::span<float> hidden, std::span<float> output, Relu relu = Relu::in_place);

void apply_relu(std::span<float> values);

// The serial part: x += y (residual), normalised = x / rms(x) row by row (RMS norm, Zhang and
// Sennrich, arXiv 1910.07467, with unit gain and epsilon 1e-6).
void serial_part(const Operation& operation, std::span<const float> y, std::span<float> x,
                 std::span<float> normalised);

}  // namespace splitbench::host

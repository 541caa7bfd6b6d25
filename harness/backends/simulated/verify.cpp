#include "harness/backends/simulated/verify.h"

#include <fmt/format.h>

#include "model/exact_example.h"
#include "model/mlp.h"
#include "model/random.h"

namespace splitbench::simulated {
namespace {

using Integers = Matrix<std::int64_t>;

struct Problem {
  Integers x, a, b;
};

// Every rank's partial output, summed; ReLU before the sum, or wrongly after it.
Integers split(const Problem& p, int ranks, bool relu_after_sum) {
  const std::size_t width = p.a.columns / static_cast<std::size_t>(ranks);
  Integers sum{p.x.rows, p.b.columns, std::vector<std::int64_t>(p.x.rows * p.b.columns)};
  for (std::size_t first = 0; first < p.a.columns; first += width) {
    const Integers a = column_shard(p.a, first, width);
    const Integers b = row_shard(p.b, first, width);
    sum = add(sum, relu_after_sum ? multiply(multiply(p.x, a), b) : mlp(p.x, a, b));
  }
  return relu_after_sum ? relu(sum) : sum;
}

Integers integers(std::size_t rows, std::size_t columns, Random& random) {
  Integers matrix{rows, columns, {}};
  for (std::size_t i = 0; i < rows * columns; ++i) {
    matrix.values.push_back(static_cast<std::int64_t>(random.below(7)) - 3);
  }
  return matrix;
}

Correctness computed() {
  const ExactExample example;
  const Problem exact{example.x, example.a, example.b};
  Random random(1);
  const Problem small{integers(3, 4, random), integers(4, 8, random), integers(8, 4, random)};
  const std::vector<std::int64_t> expected{-3, 9};
  Correctness correctness;
  correctness.exact_example_passed = split(exact, example.ranks, false).values == expected;
  correctness.negative_control_failed = split(exact, example.ranks, true).values != expected;
  correctness.exact_integers_passed = split(small, 4, false) == mlp(small.x, small.a, small.b);
  correctness.ranks_agree = true;
  correctness.within_bound = true;
  correctness.reference = "none: a simulation moves no data of the operation";
  return correctness;
}

}  // namespace

Correctness verify(const Simulation& simulation) {
  static const Correctness right = computed();
  Correctness correctness = right;
  if (const Fault* fault = simulation.wrong_data()) {
    correctness.within_bound = false;
    correctness.ranks_agree = false;
    correctness.failure = fmt::format("rank {} has wrong data, as its scenario says", fault->rank);
  }
  return correctness;
}

}  // namespace splitbench::simulated

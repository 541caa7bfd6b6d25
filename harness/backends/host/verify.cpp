#include "harness/backends/host/verify.h"

#include <cblas.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "harness/rank/correctness.h"
#include "model/exact_example.h"

namespace splitbench::host {
namespace {

using Doubles = std::vector<double>;

constexpr float kPoison = std::numeric_limits<float>::quiet_NaN();

Doubles widen(std::span<const float> values) {
  return {values.begin(), values.end()};
}

Doubles absolute(Doubles values) {
  for (double& value : values) value = std::abs(value);
  return values;
}

Doubles relu(Doubles values) {
  for (double& value : values) value = std::max(value, 0.0);
  return values;
}

// In strips of rows, a sign of life after each: a second or so on a slow core.
Doubles product(std::int64_t rows, std::int64_t columns, std::int64_t inner, const Doubles& left,
                const Doubles& right, Heartbeat heartbeat) {
  constexpr std::int64_t kStripFlops = 4'000'000'000;
  const std::int64_t strip = std::max<std::int64_t>(1, kStripFlops / (2 * columns * inner));
  Doubles result(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < rows; row += strip) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans,
                static_cast<int>(std::min(strip, rows - row)), static_cast<int>(columns),
                static_cast<int>(inner), 1.0, left.data() + row * inner, static_cast<int>(inner),
                right.data(), static_cast<int>(columns), 0.0, result.data() + row * columns,
                static_cast<int>(columns));
    heartbeat.beat();
  }
  return result;
}

// y in float64, and how far fp32 may be from it, element by element.
struct Reference {
  Doubles y;
  Doubles bound;
  Doubles misplaced;  // what ReLU after the sum would give
};

Reference make_reference(const Operation& op, std::span<const float> x, const LayerWeights& full,
                         int ranks, Heartbeat heartbeat) {
  const Doubles x64 = widen(x);
  const Doubles a64 = widen(full.a);
  const Doubles b64 = widen(full.b);
  const Doubles b_magnitude = absolute(b64);
  Doubles h = product(op.tokens, op.d_ff, op.d_model, x64, a64, heartbeat);
  Doubles misplaced = relu(product(op.tokens, op.d_model, op.d_ff, h, b64, heartbeat));
  h = relu(std::move(h));
  const Doubles input_terms =
      product(op.tokens, op.d_model, op.d_ff,
              product(op.tokens, op.d_ff, op.d_model, absolute(x64), absolute(a64), heartbeat),
              b_magnitude, heartbeat);
  const Doubles hidden_terms = product(op.tokens, op.d_model, op.d_ff, h, b_magnitude, heartbeat);

  Reference reference{.y = product(op.tokens, op.d_model, op.d_ff, h, b64, heartbeat),
                      .bound = {},
                      .misplaced = std::move(misplaced)};
  const ErrorBound weights = error_bound(op, ranks);
  reference.bound.resize(reference.y.size());
  for (std::size_t i = 0; i < reference.y.size(); ++i) {
    reference.bound[i] =
        weights.input_weight * input_terms[i] + weights.hidden_weight * hidden_terms[i];
  }
  return reference;
}

// y in float64 of whole numbers, exact in fp32 too; empty where a sum on the way may not be.
Doubles exact_result(const Operation& op, std::span<const float> x, const LayerWeights& full,
                     Heartbeat heartbeat) {
  const Doubles b = widen(full.b);
  const Doubles h =
      relu(product(op.tokens, op.d_ff, op.d_model, widen(x), widen(full.a), heartbeat));
  const Doubles sums = product(op.tokens, op.d_model, op.d_ff, h, absolute(b), heartbeat);
  if (*std::max_element(sums.begin(), sums.end()) > precision(op.dtype).integers) return {};
  return product(op.tokens, op.d_model, op.d_ff, h, b, heartbeat);
}

struct Comparison {
  double outside = 0.0;  // values beyond their bound, or no numbers
  double first = 0.0;    // index of the first of them
  double error = 0.0;    // the largest
};

Comparison compare(std::span<const float> y, const Reference& reference) {
  Comparison result;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double error = std::abs(static_cast<double>(y[i]) - reference.y[i]);
    result.error = std::max(result.error, error);  // passes over NaN
    if (error <= reference.bound[i]) continue;
    if (result.outside == 0.0) result.first = static_cast<double>(i);
    result.outside += 1.0;
  }
  return result;
}

double largest_bound(const Reference& reference) {
  return *std::max_element(reference.bound.begin(), reference.bound.end());
}

bool informative(const Reference& reference) {
  double squares = 0.0;
  for (const double value : reference.y) squares += value * value;
  const double rms = std::sqrt(squares / static_cast<double>(reference.y.size()));
  return largest_bound(reference) < 0.5 * rms;
}

// Whether the bound can tell a misplaced ReLU from a right one: not where no hidden value is
// negative, as happens when there are few.
bool tells_misplaced_relu(const Reference& reference) {
  for (std::size_t i = 0; i < reference.y.size(); ++i) {
    if (std::abs(reference.misplaced[i] - reference.y[i]) > 2.0 * reference.bound[i]) return true;
  }
  return false;
}

bool equal_bits(std::span<const float> y, const Doubles& exact) {
  return std::equal(y.begin(), y.end(), exact.begin(), exact.end(),
                    [](float a, double b) { return static_cast<double>(a) == b; });
}

std::uint64_t checksum(std::span<const float> values) {
  std::uint64_t sum = 0;
  for (const float value : values) sum = mix64(sum ^ std::bit_cast<std::uint32_t>(value));
  return sum;
}

// One layer, split: y holds the sum over ranks, poisoned before.
void run_split(const VerifyContext& c, std::span<const float> x, const LayerWeights& shard,
               std::span<float> hidden, std::span<float> y, Relu relu = Relu::in_place) {
  std::fill(y.begin(), y.end(), kPoison);
  const std::span<float> partial = c.all_reduce->partial(y.size());
  std::fill(partial.begin(), partial.end(), kPoison);
  mlp(c.operation, x, shard, hidden, partial, relu);
  c.all_reduce->sum(y);
  if (relu == Relu::misplaced) apply_relu(y);
}

class Verifier {
 public:
  explicit Verifier(const VerifyContext& context)
      : c_(context),
        heartbeat_(context.region->status(context.rank)),
        hidden_(static_cast<std::size_t>(context.operation.tokens * context.operation.d_ff)),
        y_(static_cast<std::size_t>(context.operation.tokens * context.operation.d_model)) {}

  Correctness run() {
    Correctness& correctness = found_.correctness;
    correctness.reference = "float64 products on this device";
    correctness.exact_example_passed = exact_example(c_.rank, *c_.all_reduce);
    correctness.exact_integers_passed = integers_are_exact();
    for (std::int64_t layer = 0; layer < c_.operation.layers; ++layer) check_layer(layer);
    Correctness all = together(found_, c_.operation.dtype, c_.operation.d_model, *c_.region,
                               *c_.barrier, c_.rank);
    all.checksum = checksum_of_all();
    return all;
  }

  std::string compute_again() {
    for (std::int64_t layer = 0; layer < c_.operation.layers; ++layer) {
      c_.barrier->meet_asleep();
      const std::vector<float> x = input(layer);
      compute_split(layer, x);
      if (checks(layer)) compute_full(layer, x);
    }
    return checksum_of_all();
  }

 private:
  // At the timed shape, on integer weights of its own.
  bool integers_are_exact() {
    const Operation& op = c_.operation;
    const std::vector<float> x = make_input(op, c_.seed, 0, Values::integers);
    run_split(c_, x, c_.weights->shard_integers, hidden_, y_);
    const Doubles exact = exact_result(op, x, c_.weights->full_integers, heartbeat_);
    const bool passed = equal_bits(y_, exact);
    std::fill(y_.begin(), y_.end(), kPoison);
    mlp(op, x, c_.weights->full_integers, hidden_, y_);
    return passed && equal_bits(y_, exact);
  }

  std::vector<float> input(std::int64_t layer) const {
    return make_input(c_.operation, c_.seed, layer, Values::random);
  }
  std::string checksum_of_all() const {
    return checksum_over_ranks(checksum_, *c_.region, *c_.barrier, c_.rank);
  }
  // Returns its checksum.
  std::uint64_t compute_split(std::int64_t layer, std::span<const float> x) {
    run_split(c_, x, c_.weights->shard[static_cast<std::size_t>(layer)], hidden_, y_);
    return took_y();
  }
  void compute_full(std::int64_t layer, std::span<const float> x) {
    std::fill(y_.begin(), y_.end(), kPoison);
    mlp(c_.operation, x, c_.weights->full[static_cast<std::size_t>(layer)], hidden_, y_);
    took_y();
  }
  std::uint64_t took_y() {
    const std::uint64_t of_y = checksum(y_);
    checksum_ = mix64(checksum_ ^ of_y);
    return of_y;
  }
  bool checks(std::int64_t layer) const { return layer % c_.region->ranks() == c_.rank; }

  // Every rank runs every layer; rank (layer mod N) compares it, as all end with the same bits.
  void check_layer(std::int64_t layer) {
    Correctness& result = found_.correctness;
    c_.barrier->meet_asleep();
    const auto index = static_cast<std::size_t>(layer);
    const std::vector<float> x = input(layer);
    const auto of_split = static_cast<double>(compute_split(layer, x) >> 11);  // exact
    result.ranks_agree =
        same_on_all_ranks(of_split, *c_.region, *c_.barrier, c_.rank) && result.ranks_agree;
    const std::vector<float> split_y = y_;
    run_split(c_, x, c_.weights->shard[index], hidden_, y_, Relu::misplaced);
    // The others sleep until the next meeting, which meets asleep.
    if (!checks(layer)) return;

    const Reference reference =
        make_reference(c_.operation, x, c_.weights->full[index], c_.region->ranks(), heartbeat_);
    if (tells_misplaced_relu(reference) && compare(y_, reference).outside == 0.0) {
      result.negative_control_failed = false;
    }
    compute_full(layer, x);
    result.bound_informative = result.bound_informative && informative(reference);
    for (const std::span<const float> y : {std::span<const float>(split_y), {y_}}) {
      const Comparison comparison = compare(y, reference);
      found_.compared(comparison.error, largest_bound(reference), comparison.outside,
                      comparison.first);
    }
  }

  const VerifyContext& c_;
  Heartbeat heartbeat_;
  std::vector<float> hidden_;
  std::vector<float> y_;
  std::uint64_t checksum_ = 0;  // of all results so far
  Findings found_;
};

// y of the exact example, the sum of the ranks' contributions.
std::vector<float> run_exact_example(int rank, AllReduce& all_reduce, Relu relu) {
  const ExactExample example;
  const Operation op{.tokens = 1, .d_model = 2, .d_ff = 4};
  const auto floats = [](const Matrix<std::int64_t>& matrix) {
    return std::vector<float>(matrix.values.begin(), matrix.values.end());
  };
  std::vector<float> y(2, kPoison);
  const std::span<float> partial = all_reduce.partial(y.size());
  std::fill(partial.begin(), partial.end(), 0.0F);
  if (rank < example.ranks) {
    const auto first = static_cast<std::size_t>(rank) * 2;
    const LayerWeights shard{.width = 2,
                             .a = floats(column_shard(example.a, first, 2)),
                             .b = floats(row_shard(example.b, first, 2))};
    std::vector<float> hidden(2, kPoison);
    mlp(op, floats(example.x), shard, hidden, partial, relu);
  }
  all_reduce.sum(y);
  if (relu == Relu::misplaced) apply_relu(y);
  return y;
}

}  // namespace

bool exact_example(int rank, AllReduce& all_reduce) {
  const std::vector<float> expected{-3.0F, 9.0F};
  const std::vector<float> right = run_exact_example(rank, all_reduce, Relu::in_place);
  const std::vector<float> wrong = run_exact_example(rank, all_reduce, Relu::misplaced);
  return right == expected && wrong != expected;
}

Correctness verify(const VerifyContext& context) {
  return Verifier(context).run();
}

std::string compute_again(const VerifyContext& context) {
  return Verifier(context).compute_again();
}

}  // namespace splitbench::host

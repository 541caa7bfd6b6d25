#include "harness/backends/cuda/verify.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "harness/backends/cuda/exact_example.h"
#include "harness/backends/cuda/reference_strip.h"
#include "harness/rank/correctness.h"
#include "kernels/bias_relu.h"
#include "kernels/compare.h"

namespace splitbench::cuda {
namespace {

// Three ways to the same output: the split, the whole, and the split with ReLU after the sum.
struct Outputs {
  DeviceMatrix split;
  std::optional<DeviceMatrix> whole;  // where it fits on one device
  DeviceMatrix misplaced;
};

// What strips of one layer's reference say of an output.
struct Verdict {
  double outside = 0.0;
  double differing = 0.0;
  double first_outside = 0.0;
  double max_error = 0.0;
};

class Verifier {
 public:
  explicit Verifier(const VerifyContext& context)
      : c_(context),
        at_(*context.at),
        op_(at_.operation),
        width_(op_.d_ff / context.region->ranks()),
        bound_(error_bound(op_, context.region->ranks())),
        plain_up_(Matmul::first_proposal(*context.library, plain(up_product(op_, width_)))),
        outputs_{.split = output(), .whole = {}, .misplaced = output()},
        reference_(context, width_) {
    if (at_.full != nullptr) outputs_.whole = output();
  }

  Correctness run() {
    found_.correctness.reference =
        "float64 products of every rank's shard on its device, summed by the host";
    found_.correctness.exact_example_passed = exact_example(c_);
    check_integers();
    for (std::int64_t layer = 0; layer < op_.layers; ++layer) check_layer(layer);
    return together(found_, op_.dtype, op_.d_model, *c_.region, *c_.barrier, c_.rank);
  }

 private:
  static Product plain(Product product) {
    product.relu = false;
    return product;
  }

  DeviceMatrix output() const { return {op_.dtype, op_.tokens, op_.d_model}; }

  // At the timed shape, in the buffers and by the algorithms that are timed. Layer 0 holds integers
  // meanwhile. A hidden value that were not exact would show as a wrong result, never hide one.
  void check_integers() {
    const Values integers = Values::integers(integer_sparsity(op_));
    const DeviceMatrix x = make_input(op_, c_.seed, 0, integers, c_.stream);
    fill_layer_0(integers);
    run_outputs(x, 0);
    ReferenceSummary reference;
    const std::vector<Verdict> verdicts = compare_outputs(x, 0, &reference);
    const double limit = precision(op_.dtype).integers;
    found_.correctness.exact_integers_passed = reference.largest_sum <= limit &&
                                               verdicts[0].differing == 0.0 &&
                                               (!outputs_.whole || verdicts[1].differing == 0.0);
    fill_layer_0(Values::random);
  }

  void fill_layer_0(Values values) const {
    fill_weights(at_.weights->shard[0], op_, c_.seed, 0, c_.rank * width_, values, c_.stream);
    if (at_.full != nullptr)
      fill_weights(at_.weights->full[0], op_, c_.seed, 0, 0, values, c_.stream);
  }

  // On every rank, as each has outputs of its own.
  void check_layer(std::int64_t layer) {
    const auto index = static_cast<std::size_t>(layer);
    const DeviceMatrix x = make_input(op_, c_.seed, layer, Values::random, c_.stream);
    run_outputs(x, index);
    found_.correctness.ranks_agree =
        same_on_all_ranks(checksum(outputs_.split), *c_.region, *c_.barrier, c_.rank) &&
        found_.correctness.ranks_agree;
    ReferenceSummary reference;
    const std::vector<Verdict> verdicts = compare_outputs(x, index, &reference);
    const double rms =
        std::sqrt(reference.sum_of_squares / static_cast<double>(op_.tokens * op_.d_model));
    found_.correctness.bound_informative &= reference.largest_bound < 0.5 * rms;
    for (std::size_t i = 0; i + 1 < verdicts.size(); ++i) {
      const Verdict& v = verdicts[i];
      found_.compared(v.max_error, reference.largest_bound, v.outside, v.first_outside);
    }
    if (reference.tells_misplaced_relu && verdicts.back().outside == 0.0) {
      found_.correctness.negative_control_failed = false;
    }
  }

  // All outputs of a layer, poisoned before; what is still poison afterwards is counted.
  void run_outputs(const DeviceMatrix& x, std::size_t layer) {
    const LayerWeights& shard = at_.weights->shard[layer];
    poison(outputs_.split);
    at_.shard->run(x.data(), shard, at_.hidden, outputs_.split.data(), c_.stream);
    reduce(outputs_.split);
    if (outputs_.whole) {
      poison(*outputs_.whole);
      at_.full->run(x.data(), at_.weights->full[layer], at_.hidden, outputs_.whole->data(),
                    c_.stream);
    }
    poison(outputs_.misplaced);
    plain_up_.run({.left = x.data(), .right = shard.a.data(), .result = at_.hidden}, c_.stream);
    at_.shard->down.run(
        {.left = at_.hidden, .right = shard.b.data(), .result = outputs_.misplaced.data()},
        c_.stream);
    reduce(outputs_.misplaced);
    check(kernels::bias_relu(outputs_.misplaced.view(), nullptr, c_.stream), "kernels::bias_relu");
    count_unwritten(outputs_.split);
    if (outputs_.whole) count_unwritten(*outputs_.whole);
  }

  // Every bit of the hidden values and of the output is 1: no number.
  void poison(const DeviceMatrix& matrix) const {
    set_bytes(at_.hidden, 0xff, DeviceMatrix::bytes(op_.dtype, op_.tokens, hidden_columns()),
              c_.stream);
    set_bytes(matrix.data(), 0xff, matrix.bytes(), c_.stream);
  }

  std::int64_t hidden_columns() const { return at_.full != nullptr ? op_.d_ff : width_; }

  void reduce(const DeviceMatrix& matrix) const {
    at_.communicator->all_reduce(matrix.data(), matrix.data(),
                                 static_cast<std::size_t>(op_.tokens * op_.d_model), op_.dtype,
                                 c_.stream);
  }

  void count_unwritten(const DeviceMatrix& matrix) {
    *count_.host() = 0;
    check(kernels::count_poison(matrix.view(), count_.device(), c_.stream),
          "kernels::count_poison");
    finish();
    found_.unwritten += static_cast<double>(*count_.host());
  }

  double checksum(const DeviceMatrix& matrix) {
    *count_.host() = 0;
    check(kernels::checksum(matrix.view(), count_.device(), c_.stream), "kernels::checksum");
    finish();
    return static_cast<double>(*count_.host() >> 11);  // 53 bits: exact in a double
  }

  // The split's verdict first, then the whole's where there is one, the misplaced ReLU's last.
  std::vector<Verdict> compare_outputs(const DeviceMatrix& x, std::size_t layer,
                                       ReferenceSummary* summary) {
    std::vector<const DeviceMatrix*> outputs{&outputs_.split};
    if (outputs_.whole) outputs.push_back(&*outputs_.whole);
    outputs.push_back(&outputs_.misplaced);
    std::vector<Verdict> verdicts(outputs.size());
    for (std::int64_t row = 0; row < op_.tokens; row += reference_.rows()) {
      const std::int64_t rows = std::min(reference_.rows(), op_.tokens - row);
      reference_.compute(rows_of(x.view(), row, rows), at_.weights->shard[layer], bound_, summary);
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        add(compare(rows_of(outputs[i]->view(), row, rows)), row, verdicts[i]);
      }
    }
    return verdicts;
  }

  kernels::Comparison compare(const kernels::Matrix& strip) {
    *comparison_.host() = {};
    check(kernels::compare(strip, reference_.y(), reference_.bound(), comparison_.device(),
                           c_.stream),
          "kernels::compare");
    finish();
    return *comparison_.host();
  }

  void add(const kernels::Comparison& strip, std::int64_t row, Verdict& to) const {
    if (to.outside == 0.0 && strip.outside > 0) {
      to.first_outside =
          static_cast<double>(row * op_.d_model) + static_cast<double>(strip.first_outside - 1);
    }
    to.outside += static_cast<double>(strip.outside);
    to.differing += static_cast<double>(strip.differing);
    to.max_error = std::max(to.max_error, strip.max_error);
  }

  void finish() const { at_.communicator->wait(c_.stream, c_.patience); }

  const VerifyContext& c_;
  const Workplace& at_;
  const Operation& op_;
  std::int64_t width_;
  ErrorBound bound_;
  Matmul plain_up_;
  Outputs outputs_;
  ReferenceStrip reference_;
  Pinned<unsigned long long> count_;
  Pinned<kernels::Comparison> comparison_;
  Findings found_;
};

}  // namespace

Correctness verify(const VerifyContext& context) {
  return Verifier(context).run();
}

}  // namespace splitbench::cuda

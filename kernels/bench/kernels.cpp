// Every kernel over sizes. Bytes are those that must move: each matrix read or written once.
#include <functional>

#include "kernels/bench/device.h"
#include "kernels/bias_relu.h"
#include "kernels/cast.h"
#include "kernels/compare.h"
#include "kernels/fill.h"
#include "kernels/flush.h"
#include "kernels/gate.h"
#include "kernels/null.h"
#include "kernels/peer_probe.h"
#include "kernels/reference.h"
#include "kernels/serial_part.h"
#include "kernels/stamp.h"

namespace splitbench::kernels::bench {
namespace {

constexpr std::int64_t kColumns = 4096;
constexpr std::int64_t kFewestElements = std::int64_t{1} << 16;
constexpr std::int64_t kMostElements = std::int64_t{1} << 26;

struct Type {
  const char* name;
  Element element;
};
constexpr Type kTypes[] = {
    {"fp32", Element::fp32}, {"fp16", Element::fp16}, {"bf16", Element::bf16}};

// A matrix of kColumns columns with memory of its own.
class OwnMatrix {
 public:
  OwnMatrix(Element element, std::int64_t elements)
      : buffer_(static_cast<std::size_t>(elements) * size_of(element)),
        view_{.data = buffer_.data(),
              .element = element,
              .rows = elements / kColumns,
              .columns = kColumns,
              .leading = kColumns} {
    check(fill_normal(view_, 1, {}, 1.0F, nullptr));
    check(cudaDeviceSynchronize());
  }
  const Matrix& view() const { return view_; }

 private:
  Buffer buffer_;
  Matrix view_;
};

// A kernel on matrices of one type and size.
struct OnMatrices {
  const char* name;
  int moved;  // how many times a matrix is read or written
  std::function<cudaError_t(const Matrix& a, const Matrix& b, const Matrix& c, void* word,
                            cudaStream_t stream)>
      launch;
};

const std::vector<OnMatrices>& on_matrices() {
  static const std::vector<OnMatrices> all = {
      {"fill_normal", 1,
       [](auto& a, auto&, auto&, void*, auto stream) {
         return fill_normal(a, 1, {}, 1.0F, stream);
       }},
      {"fill_integers", 1,
       [](auto& a, auto&, auto&, void*, auto stream) {
         return fill_integers(a, 1, {}, 8, stream);
       }},
      {"bias_relu", 2,
       [](auto& a, auto& b, auto&, void*, auto stream) { return bias_relu(a, b.data, stream); }},
      {"cast", 2, [](auto& a, auto& b, auto&, void*, auto stream) { return cast(a, b, stream); }},
      {"serial_part", 4,
       [](auto& a, auto& b, auto& c, void*, auto stream) { return serial_part(a, b, c, stream); }},
      {"count_poison", 1,
       [](auto& a, auto&, auto&, void* word, auto stream) {
         return count_poison(a, static_cast<unsigned long long*>(word), stream);
       }},
      {"checksum", 1,
       [](auto& a, auto&, auto&, void* word, auto stream) {
         return checksum(a, static_cast<unsigned long long*>(word), stream);
       }},
  };
  return all;
}

void run_on_matrices(benchmark::State& state, const OnMatrices& kernel, Element element) {
  const std::int64_t elements = state.range(0);
  const OwnMatrix a(element, elements);
  const OwnMatrix b(element, elements);
  const OwnMatrix c(element, elements);
  const Buffer word(sizeof(unsigned long long));
  time_on_device(state, [&](cudaStream_t stream) {
    check(kernel.launch(a.view(), b.view(), c.view(), word.data(), stream));
  });
  count_bytes(state,
              kernel.moved * static_cast<double>(elements) * static_cast<double>(size_of(element)));
}

void run_compare(benchmark::State& state) {
  const std::int64_t elements = state.range(0);
  const OwnMatrix y(Element::fp32, elements);
  const Buffer doubles(static_cast<std::size_t>(elements) * sizeof(double));
  check(cudaMemset(doubles.data(), 0, static_cast<std::size_t>(elements) * sizeof(double)));
  const Buffer result(sizeof(Comparison));
  const Doubles reference{.data = static_cast<double*>(doubles.data()),
                          .rows = elements / kColumns,
                          .columns = kColumns};
  time_on_device(state, [&](cudaStream_t stream) {
    check(compare(y.view(), reference, reference, static_cast<Comparison*>(result.data()), stream));
  });
  count_bytes(state, static_cast<double>(elements) * (sizeof(float) + 2 * sizeof(double)));
}

// A square product of matrices of kColumns columns and range(0) rows.
void run_reference_product(benchmark::State& state) {
  const std::int64_t rows = state.range(0);
  const OwnMatrix left(Element::fp32, rows * kColumns);
  const OwnMatrix right(Element::fp32, kColumns * kColumns);
  const Buffer result(static_cast<std::size_t>(rows * kColumns) * sizeof(double));
  const Doubles product{
      .data = static_cast<double*>(result.data()), .rows = rows, .columns = kColumns};
  time_on_device(state, [&](cudaStream_t stream) {
    check(reference_product(left.view(), right.view(), Factors::as_they_are, product, stream));
  });
  count_flops(state, 2.0 * static_cast<double>(rows) * kColumns * kColumns);
}

void run_flush(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const Buffer buffer(bytes);
  time_on_device(state, [&](cudaStream_t stream) { check(flush(buffer.data(), bytes, stream)); });
  count_bytes(state, 2.0 * static_cast<double>(bytes));
}

void run_peer_store(benchmark::State& state) {
  const auto words = static_cast<std::size_t>(state.range(0)) / sizeof(std::uint32_t);
  const Buffer buffer(words * sizeof(std::uint32_t));
  time_on_device(state, [&](cudaStream_t stream) {
    check(peer_store(static_cast<std::uint32_t*>(buffer.data()), words, 1, stream));
  });
  count_bytes(state, static_cast<double>(state.range(0)));
}

// What a launch, a stamp and a gate that stands open cost.
void run_null(benchmark::State& state) {
  time_on_device(state, [](cudaStream_t stream) { check(null(stream)); });
}

void run_stamp(benchmark::State& state) {
  const Buffer taken(sizeof(Stamp));
  time_on_device(
      state, [&](cudaStream_t stream) { check(stamp(static_cast<Stamp*>(taken.data()), stream)); });
}

void run_open_gate(benchmark::State& state) {
  const Buffer words(2 * sizeof(std::uint32_t));
  check(cudaMemset(words.data(), 0, 2 * sizeof(std::uint32_t)));
  auto* const flag = static_cast<std::uint32_t*>(words.data());
  time_on_device(
      state, [&](cudaStream_t stream) { check(gate(flag, 0, 1'000'000'000, flag + 1, stream)); });
}

}  // namespace

void register_kernels() {
  for (const OnMatrices& kernel : on_matrices())
    for (const Type& type : kTypes)
      benchmark::RegisterBenchmark((std::string(kernel.name) + "/" + type.name).c_str(),
                                   [&kernel, element = type.element](benchmark::State& state) {
                                     run_on_matrices(state, kernel, element);
                                   })
          ->ArgName("elements")
          ->RangeMultiplier(32)
          ->Range(kFewestElements, kMostElements)
          ->UseManualTime();
  benchmark::RegisterBenchmark("compare/fp32", run_compare)
      ->ArgName("elements")
      ->RangeMultiplier(32)
      ->Range(kFewestElements, kMostElements)
      ->UseManualTime();
  benchmark::RegisterBenchmark("reference_product/fp32", run_reference_product)
      ->ArgName("rows")
      ->Arg(64)
      ->Arg(1024)
      ->UseManualTime();
  benchmark::RegisterBenchmark("flush", run_flush)->ArgName("bytes")->Arg(1 << 28)->UseManualTime();
  benchmark::RegisterBenchmark("peer_store/own", run_peer_store)
      ->ArgName("bytes")
      ->Arg(1 << 20)
      ->Arg(1 << 26)
      ->UseManualTime();
  benchmark::RegisterBenchmark("null", run_null)->UseManualTime();
  benchmark::RegisterBenchmark("stamp", run_stamp)->UseManualTime();
  benchmark::RegisterBenchmark("gate/open", run_open_gate)->UseManualTime();
}

}  // namespace splitbench::kernels::bench

#include "harness/cli/predict_cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "harness/cli/exit_code.h"
#include "model/exact_example.h"
#include "model/worked_cases.h"
#include "results/prediction_document.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using Integers = Matrix<std::int64_t>;

struct SplitExample {
  Integers unsplit;
  std::vector<Integers> partial_hidden;  // x A_i, before ReLU
  std::vector<Integers> partial_outputs;
  Integers sum;
};

SplitExample compute_example(const ExactExample& example) {
  SplitExample result{.unsplit = mlp(example.x, example.a, example.b),
                      .partial_hidden = {},
                      .partial_outputs = {},
                      .sum = {}};
  const std::size_t width = example.a.columns / static_cast<std::size_t>(example.ranks);
  for (std::size_t first = 0; first < example.a.columns; first += width) {
    const Integers a = column_shard(example.a, first, width);
    result.partial_hidden.push_back(multiply(example.x, a));
    result.partial_outputs.push_back(mlp(example.x, a, row_shard(example.b, first, width)));
    result.sum =
        first == 0 ? result.partial_outputs.back() : add(result.sum, result.partial_outputs.back());
  }
  return result;
}

std::string row_text(const Integers& matrix, std::size_t row) {
  const auto begin = matrix.values.begin() + static_cast<std::ptrdiff_t>(row * matrix.columns);
  return fmt::format("[{}]",
                     fmt::join(begin, begin + static_cast<std::ptrdiff_t>(matrix.columns), ", "));
}

std::string text(const Integers& matrix) {
  if (matrix.rows == 1) return row_text(matrix, 0);
  std::vector<std::string> rows;
  for (std::size_t row = 0; row < matrix.rows; ++row) rows.push_back(row_text(matrix, row));
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

Json json(const Integers& matrix) {
  Json rows = Json::array();
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    Json line = Json::array();
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      line.push_back(matrix.at(row, column));
    }
    rows.push_back(std::move(line));
  }
  return rows;
}

void print_example(const ExactExample& example, const SplitExample& result) {
  fmt::print("The exact example: y = ReLU(x A) B on {} ranks\n\n", example.ranks);
  fmt::print("  x = {}\n  A = {}   split by columns\n  B = {}   split by rows\n\n", text(example.x),
             text(example.a), text(example.b));
  for (std::size_t rank = 0; rank < result.partial_outputs.size(); ++rank) {
    fmt::print("  rank {} computes ReLU({}) = {} and contributes {}\n", rank,
               text(result.partial_hidden[rank]), text(relu(result.partial_hidden[rank])),
               text(result.partial_outputs[rank]));
  }
  fmt::print("  all-reduce gives {}, the unsplit operation gives {}: {}\n", text(result.sum),
             text(result.unsplit), result.sum == result.unsplit ? "equal" : "NOT EQUAL");
  const Integers two{1, 1, {2}};
  const Integers minus_three{1, 1, {-3}};
  fmt::print("  ReLU comes before the sum: ReLU(2) + ReLU(-3) = {}, but ReLU(2 - 3) = {}.\n\n",
             add(relu(two), relu(minus_three)).at(0, 0), relu(add(two, minus_three)).at(0, 0));
}

template <class T>
std::string cell(const Answer<T>& answer, double scale) {
  if (!answer) return "none";
  if constexpr (std::is_same_v<T, double>) {
    return fmt::format("{:.6f}", *answer * scale);
  } else {
    return fmt::format("{:.6f}", answer->value() * scale);
  }
}

void print_table() {
  const SplitParameters base = worked_base_case();
  fmt::print(
      "Worked cases, 2 ranks: S 0.8 ms, C 12 ms, eta {}, Q {}, l 0.03 ms, V 2 MB,\n"
      "B 10 GB/s, unless the row changes one of them. Times in ms, B_min in GB/s.\n\n",
      base.efficiency, base.collectives);
  fmt::print("  {:<11} {:>6} {:>5} {:>7} {:>8} {:>9} {:>9} {:>8} {:>7}\n", "change", "T1", "H",
             "T2", "speedup", "C*", "B_min", "eta_min", "overlap");
  bool beyond_tuning = false;
  for (const auto& [change, p] : worked_cases()) {
    const Answer<double> least = min_efficiency(p);
    const bool impossible = least && *least > 1.0;
    beyond_tuning |= impossible;
    fmt::print("  {:<11} {:>6g} {:>5g} {:>7g} {:>8} {:>9} {:>9} {:>8} {:>7g}\n", change,
               one_device_time(p).value() * 1e3, communication_time(p).value() * 1e3,
               split_time(p).value() * 1e3, cell(speedup(p), 1), cell(break_even_compute(p), 1e3),
               cell(min_bandwidth(p), 1e-9),
               least ? fmt::format("{:.4f}{}", *least, impossible ? "!" : " ") : "none",
               overlap_bound(p).value() * 1e3);
  }
  if (beyond_tuning) fmt::print("\n  ! above 1: not by local tuning alone\n");
}

Json cases_document(const ExactExample& example, const SplitExample& result) {
  Json document;
  document["schema"] = "splitbench.cases/1";
  Json& exact = document["exact_example"];
  exact["x"] = json(example.x);
  exact["a"] = json(example.a);
  exact["b"] = json(example.b);
  exact["ranks"] = example.ranks;
  exact["partial_outputs"] = Json::array();
  for (const Integers& partial : result.partial_outputs) {
    exact["partial_outputs"].push_back(json(partial));
  }
  exact["sum"] = json(result.sum);
  exact["unsplit"] = json(result.unsplit);
  exact["equal"] = result.sum == result.unsplit;
  document["cases"] = Json::array();
  for (const auto& [change, parameters] : worked_cases()) {
    Json entry;
    entry["change"] = change;
    entry.update(prediction_document(parameters));
    document["cases"].push_back(std::move(entry));
  }
  return document;
}

}  // namespace

int print_cases(Format format) {
  const ExactExample example;
  const SplitExample result = compute_example(example);
  if (format == Format::json) {
    fmt::print("{}\n", cases_document(example, result).dump(2));
  } else {
    print_example(example, result);
    print_table();
  }
  return kDone;
}

}  // namespace splitbench::cli

#include "results/import/number_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace splitbench {
namespace {

constexpr std::size_t kMost = kMostNodeDevices;  // rows, and columns

using Cells = std::vector<std::optional<double>>;

bool is_gap(std::string_view word) {
  return word == "N/A" || word == "-" || word == "\xE2\x80\x94" || word == "\xE2\x80\x93";
}

struct NumberedCells {
  std::size_t number = 0;
  Cells cells;
};

std::optional<NumberedCells> row_in(std::string_view line, double unit) {
  const auto words = words_of(line);
  if (words.size() < 2) return std::nullopt;
  const auto number = whole_number_in(words[0]);
  if (!number || *number < 0 || *number >= static_cast<long long>(kMost)) return std::nullopt;
  NumberedCells row{.number = static_cast<std::size_t>(*number), .cells = {}};
  for (const std::string_view word : std::span(words).subspan(1)) {
    const auto value = number_in(word);
    if (!value && !is_gap(word)) return std::nullopt;
    if (value && (*value < 0.0 || *value > kMostInCell)) return std::nullopt;
    row.cells.push_back(value ? std::optional<double>(unit * *value) : std::nullopt);
  }
  return row;
}

}  // namespace

std::string_view unit_at_end(std::string_view line) {
  line = trimmed(line);
  const std::string_view unit = line.substr(std::min(line.rfind('('), line.size()));
  const bool is_time = unit.ends_with("s)") && unit.size() <= 5;
  return is_time || unit.ends_with("/s)") ? unit : std::string_view();
}

std::optional<std::size_t> numbered_columns(std::span<const std::string_view> words) {
  if (words.empty() || words.size() > kMost) return std::nullopt;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (whole_number_in(words[i]) != static_cast<long long>(i)) return std::nullopt;
  }
  return words.size();
}

std::size_t read_rows(const std::vector<TextLine>& lines, std::size_t first, std::size_t columns,
                      double unit, PairMatrix& matrix, std::vector<std::string>& notes) {
  std::size_t next = first;
  std::size_t whole = 0;
  bool cut = false;
  for (; next < lines.size() && !cut; ++next) {
    auto row = row_in(lines[next].text, unit);
    if (!row) break;
    cut = row->cells.size() != columns;
    if (cut || (matrix.rows == "device" && row->number >= columns)) break;
    if (row->number >= matrix.cells.size()) matrix.cells.resize(row->number + 1, Cells(columns));
    matrix.cells[row->number] = std::move(row->cells);
    ++whole;
  }
  if (cut)
    notes.push_back(fmt::format("line {}: a row of {} is cut", lines[next].number, matrix.name));
  const std::size_t expected =
      matrix.rows == "device" ? std::max(columns, matrix.cells.size()) : matrix.cells.size();
  if (whole < expected) {
    notes.push_back(
        fmt::format("{} (line {}) has {} of {} rows", matrix.name, matrix.line, whole, expected));
  }
  return std::max(next, first);
}

void add_matrix(PairMatrix matrix, const TextSource& source, ImportedNode& node) {
  constexpr std::size_t kMostMatrices = 256;
  if (matrix.cells.empty()) return;
  if (node.matrices.size() == kMostMatrices) {
    source.fail(matrix.line, fmt::format("more than {} matrices", kMostMatrices));
  }
  node.matrices.push_back(std::move(matrix));
}

void leave_out(PairMatrix matrix, const std::string& why, ImportedNode& node) {
  node.notes.push_back(fmt::format("{} is not used: {}", matrix.name, why));
  node.unused.push_back({std::move(matrix), why});
}

}  // namespace splitbench

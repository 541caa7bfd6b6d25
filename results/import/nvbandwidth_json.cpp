#include <fmt/format.h>

#include <algorithm>

#include "protocols/document_value.h"
#include "results/import/json_part.h"
#include "results/import/number_matrix.h"
#include "results/import/nvbandwidth.h"

namespace splitbench {
namespace {

constexpr std::size_t kMost = 1024;
constexpr std::size_t kLongest = 2048;

// Numbers are strings there, "N/A" among them.
std::optional<double> cell_in(const DocumentValue& value, double unit) {
  if (!value.is_text()) return unit * value.number(0.0, kMostInCell);
  const std::string text = value.text(kLongest);
  if (text == "N/A") return std::nullopt;
  const auto number = number_in(text);
  if (!number || *number < 0.0 || *number > kMostInCell) value.refuse("a number or \"N/A\"");
  return unit * *number;
}

PairMatrix matrix_in(const DocumentValue& test, const DocumentValue& rows, std::size_t line) {
  PairMatrix matrix;
  matrix.name = kUnnamedMatrix;
  matrix.line = line;
  if (const auto name = test.member("name")) matrix.name = printable(name->text(kLongest));
  const auto description = test.member("bandwidth_description");
  if (!description) test.fail("expected a key 'bandwidth_description', which says the unit");
  const auto unit = describe(description->text(kLongest), matrix);
  if (!unit) description->refuse(kNvbandwidthUnits);
  for (const DocumentValue& row : rows.elements(kMost)) {
    matrix.cells.emplace_back();
    for (const DocumentValue& cell : row.elements(kMost)) {
      matrix.cells.back().push_back(cell_in(cell, *unit));
    }
    if (matrix.cells.back().size() != matrix.cells.front().size()) {
      row.refuse(fmt::format("a row of {} cells, as the first", matrix.cells.front().size()));
    }
  }
  return matrix;
}

// Why the figures of a test are no evidence; empty of one that passed.
std::string refusal_of(const DocumentValue& test) {
  const auto status = test.member("status");
  if (!status || status->is_null()) return "nvbandwidth gives no status of this test";
  const std::string word = printable(status->text(kLongest));
  if (word == "Passed") return "";
  return fmt::format("nvbandwidth says '{}' of this test, not 'Passed'", word);
}

void add_test(const DocumentValue& test, PairMatrix matrix, ImportedNode& node) {
  if (const std::string why = refusal_of(test); !why.empty()) {
    return leave_out(std::move(matrix), why, node);
  }
  if (const auto sum = test.member("sum"); sum && !sum->is_null()) {
    if (const auto value = cell_in(*sum, 1.0)) check_sum(matrix, *value, node.notes);
  }
  node.matrices.push_back(std::move(matrix));
}

// "0: NVIDIA H200 (00000000:0A:00)" of newer versions.
void add_devices(const DocumentValue& root, ImportedNode& node) {
  const auto list = root.member("GPU Device list");
  if (!list) return;
  int next = 0;
  for (const DocumentValue& device : list->elements(kMost)) {
    std::string name = device.text(kLongest);
    const auto colon = name.find(": ");
    if (colon != std::string::npos) name = name.substr(colon + 2);
    const auto open = name.rfind(" (");
    if (open != std::string::npos) name.resize(open);
    node.devices[next++].name = printable(name);
  }
}

}  // namespace

bool looks_like_nvbandwidth_json(const TextSource& source) {
  return has_json_key(source, "nvbandwidth") && has_json_key(source, "testcases");
}

void read_nvbandwidth_json(const TextSource& source, ImportedNode& node) {
  const auto document = json_part(source);
  if (!document) source.fail(1, "expected a JSON document of nvbandwidth");
  const auto root = DocumentValue(*document).member("nvbandwidth");
  if (!root) document->fail("", "expected a key 'nvbandwidth'");
  const auto tests = root->member("testcases");
  if (!tests) root->fail("expected a key 'testcases'");
  if (const auto driver = root->member("Driver Version"); driver && driver->is_text()) {
    node.software["driver"] = printable(driver->text(kLongest));
  }
  add_devices(*root, node);
  std::size_t columns = 0;
  int without = 0;
  for (const DocumentValue& test : tests->elements(kMost)) {
    const auto rows = test.member("bandwidth_matrix");
    if (!rows || rows->is_null()) {
      ++without;
      continue;
    }
    PairMatrix matrix = matrix_in(test, *rows, 0);
    if (matrix.cells.empty() || matrix.cells.front().empty()) continue;
    columns = std::max(columns, matrix.cells.front().size());
    add_test(test, std::move(matrix), node);
  }
  if (node.matrices.empty() && node.unused.empty()) tests->fail("no test has a matrix");
  for (std::size_t i = 0; i < columns; ++i) node.devices[static_cast<int>(i)];
  if (without > 0) {
    node.notes.push_back(fmt::format("nvbandwidth: {} tests were waived or failed there", without));
  }
  node.formats.emplace_back("nvbandwidth JSON");
}

}  // namespace splitbench

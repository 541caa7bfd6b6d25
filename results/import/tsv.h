// Tab-separated text as columns of numbers, read strictly. The format is docs/replay.md's.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/document.h"

namespace splitbench {

struct Column {
  std::string_view name;
  bool whole_number = false;
  bool needed = true;
  double most = 0x1p53;  // whole numbers beyond are not exact in a double
};

struct Row {
  std::size_t line = 0;  // from 1
  std::vector<double>
      values;  // above 0, by the columns asked for; 0 where such a column is not there
};

struct Tsv {
  std::vector<std::string> comments;  // of the lines that begin with '#', without it
  std::vector<std::string> unused;    // names of further columns
  std::vector<Row> rows;              // at least one
};

// Throws BadDocument with line and column, what stands there and what was expected: a column that
// is missing or named twice, a row with another number of fields than the header has, a field that
// is no number above 0, no rows. `file` is the name in messages.
Tsv read_tsv(std::string_view text, const std::string& file, const std::vector<Column>& columns);

}  // namespace splitbench

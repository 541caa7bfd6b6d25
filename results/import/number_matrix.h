// Matrices of numbers as the tools that measure copies print them: a line with the numbers of the
// columns, then rows that begin with their own.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/import/imported_node.h"
#include "results/import/text_source.h"

namespace splitbench {

// Of a rate or a time, in whatever unit it is written.
inline constexpr double kMostInCell = 1e12;

// "(GB/s)" of a line that ends with it, or with any other rate or time; else empty.
std::string_view unit_at_end(std::string_view line);

// How many columns the words number: "0 1 2" is 3. Nothing where they do not, or are too many.
std::optional<std::size_t> numbered_columns(std::span<const std::string_view> words);

// Rows from line `first` (an index) on, up to a line that is none: rows of devices are numbered as
// the columns are. Cells are taken times `unit`; "N/A" and dashes are no number. What the matrix
// lacks is said in a note, by `matrix.name`.
// Returns the index of the next line.
std::size_t read_rows(const std::vector<TextLine>& lines, std::size_t first, std::size_t columns,
                      double unit, PairMatrix& matrix, std::vector<std::string>& notes);

// One more table of the node, if it has a row. Throws BadDocument where there are far too many.
void add_matrix(PairMatrix matrix, const TextSource& source, ImportedNode& node);

// A table that is no evidence: kept apart, and a note says why.
void leave_out(PairMatrix matrix, const std::string& why, ImportedNode& node);

}  // namespace splitbench

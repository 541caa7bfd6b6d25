// A table of times by size, read between its entries, with the error of doing so.
//
// An entry's own size has the time that the table gives. Between entries three straight lines
// t = l + b size are drawn: through the neighbours on both sides, through the two below, through
// the two above; none leaves what the neighbours span. The middle one is the time. Where the line
// from above lies a quarter or more above the one from below, and the neighbours are far apart,
// something switched in between, nobody can say where, and the line from below is taken: a library
// takes the fastest of what it has. A neighbour is the geometric mean of the (at most 5) entries
// within 10 % of the nearest one, equally many on both sides.
//
// The interval (95 %) is what the three lines span, wider at both ends by t s: s is the root mean
// square of the errors (logarithms) of the 8 nearest entries, each read from the table without it,
// t Student's quantile. Source: docs/replay.md; how it does on public tables: docs/proof.md.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/answer.h"
#include "model/quantity.h"
#include "model/statistics.h"

namespace splitbench {

struct TableEntry {
  double size = 0.0;  // tokens, bytes
  Seconds time{};

  friend bool operator==(const TableEntry&, const TableEntry&) = default;
};

// A time made of tables.
struct TableTime {
  Seconds time{};
  bool interpolated = false;  // no entry; else it is one, or a sum of some
  // Seconds. None of entries, and where too few entries are near.
  Answer<Interval> interval = Answer<Interval>::none("not read");
  // s, relative. None likewise.
  Answer<double> error = Answer<double>::none("not read");
};

// Sizes so near are one as far as leaving out goes: 2 %.
bool same_size(double a, double b);

class TableCurve {
 public:
  TableCurve() = default;
  // In any order; several of one size become their median. Throws InvalidInput for a size or a time
  // that is not above 0.
  explicit TableCurve(std::vector<TableEntry> entries);

  std::span<const TableEntry> entries() const { return entries_; }  // by size

  bool has(double size) const;              // an entry of this very size
  Answer<TableTime> at(double size) const;  // none outside of the entries
  TableCurve without(double size) const;    // and without what same_size() says is the same

 private:
  std::vector<TableEntry> entries_;
};

}  // namespace splitbench

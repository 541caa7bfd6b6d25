// Tables of times as devices: the products of one layer, whole and half, and the all-reduce.
//
// Each is read between its entries by model/table_curve.h, and never outside of them. The format is
// docs/replay.md's; times in microseconds there, seconds here.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/backend.h"
#include "model/operation.h"
#include "model/table_curve.h"

namespace splitbench::replay {

// What a result says of a table.
struct TableSource {
  std::string name;  // the file's, without directories and extension
  std::vector<std::string> comments;
  std::vector<std::string> unused;  // columns
  std::size_t rows = 0;
};

// Times of one layer by tokens, for each pair of widths.
struct WidthTimes {
  TableCurve full;    // both products on one device
  TableCurve shard;   // on one of two
  TableCurve serial;  // empty where the table has none
};

class MlpTable {
 public:
  // Throws BadDocument.
  explicit MlpTable(const GivenFile& file);

  static constexpr int kRanks = 2;  // halves

  using Widths = std::pair<std::int64_t, std::int64_t>;  // d_model, d_ff
  const TableSource& source() const { return source_; }
  const std::map<Widths, WidthTimes>& widths() const { return widths_; }
  // None where the table has no such widths, or not so many or few tokens: the reason says what it
  // covers.
  Answer<const WidthTimes*> find(const Operation& operation) const;

 private:
  std::string covers() const;

  TableSource source_;
  std::map<Widths, WidthTimes> widths_;
};

// One implementation of the all-reduce: its times by bytes of the message, for each number of
// ranks.
class CollectiveTable {
 public:
  // Throws BadDocument.
  explicit CollectiveTable(const GivenFile& file);

  const TableSource& source() const { return source_; }
  // None where the table has no such number of ranks, or not such a message: likewise.
  Answer<const TableCurve*> find(Bytes message, int ranks) const;

 private:
  std::string covers() const;

  TableSource source_;
  std::map<int, TableCurve> ranks_;
};

}  // namespace splitbench::replay

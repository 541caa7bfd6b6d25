#include "results/import/tsv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/invalid_input.h"
#include "model/quantity_text.h"

namespace splitbench {
namespace {

struct Field {
  std::string_view text;
  std::size_t column = 1;
};

std::vector<Field> fields_of(std::string_view line) {
  std::vector<Field> fields;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t tab = line.find('\t', begin);
    fields.push_back({.text = line.substr(begin, tab - begin), .column = begin + 1});
    if (tab == std::string_view::npos) return fields;
    begin = tab + 1;
  }
}

class Reader {
 public:
  Reader(const std::string& file, const std::vector<Column>& columns)
      : file_(file), columns_(columns) {}

  Tsv read(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      read_line(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (header_.empty()) fail(line_, 1, "there is no header; expected the columns " + names());
    if (tsv_.rows.empty()) fail(line_, 1, "there is no row under the header");
    return std::move(tsv_);
  }

 private:
  void read_line(std::string_view line) {
    ++line_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) return;
    if (line.front() == '#') {
      line.remove_prefix(line.starts_with("# ") ? 2 : 1);
      tsv_.comments.emplace_back(line);
    } else if (header_.empty()) {
      read_header(fields_of(line));
    } else {
      read_row(fields_of(line));
    }
  }

  void read_header(const std::vector<Field>& fields) {
    for (const Field& field : fields) {
      const auto same = [&](const std::string& name) { return name == field.text; };
      if (std::any_of(header_.begin(), header_.end(), same)) {
        fail(line_, field.column, fmt::format("column '{}' is there twice", field.text));
      }
      header_.emplace_back(field.text);
      const auto asked = [&](const Column& column) { return column.name == field.text; };
      if (std::none_of(columns_.begin(), columns_.end(), asked)) {
        tsv_.unused.emplace_back(field.text);
      }
    }
    for (const Column& column : columns_) {
      const auto found = std::find(header_.begin(), header_.end(), column.name);
      if (found == header_.end() && column.needed) {
        fail(line_, 1,
             fmt::format("there is no column '{}'; expected {}, separated by tabs", column.name,
                         names()));
      }
      places_.push_back(found == header_.end() ? std::optional<std::size_t>()
                                               : static_cast<std::size_t>(found - header_.begin()));
    }
  }

  void read_row(const std::vector<Field>& fields) {
    if (fields.size() != header_.size()) {
      fail(line_, fields.back().column,
           fmt::format("{} fields; expected {} as in the header, separated by tabs", fields.size(),
                       header_.size()));
    }
    Row row{.line = line_, .values = {}};
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      row.values.push_back(places_[i] ? number(fields[*places_[i]], columns_[i]) : 0.0);
    }
    tsv_.rows.push_back(std::move(row));
  }

  double number(const Field& field, const Column& column) const {
    const std::string expected = column.whole_number
                                     ? fmt::format("a whole number from 1 to {:.0f}", column.most)
                                     : "a number above 0";
    double value = 0.0;
    try {
      value = parse_number(field.text);
    } catch (const InvalidInput&) {
      value = 0.0;
    }
    const bool whole = value == std::floor(value) && value <= column.most;
    if (!(value > 0.0) || (column.whole_number && !whole)) {
      fail(line_, field.column,
           fmt::format("'{}' is no {}; expected {}", field.text, column.name, expected));
    }
    return value;
  }

  std::string names() const {
    std::vector<std::string_view> needed;
    for (const Column& column : columns_) {
      if (column.needed) needed.push_back(column.name);
    }
    return fmt::format("{}", fmt::join(needed, " "));
  }

  [[noreturn]] void fail(std::size_t line, std::size_t column, const std::string& message) const {
    throw BadDocument(file_, "", {.line = std::max<std::size_t>(line, 1), .column = column},
                      message);
  }

  const std::string& file_;
  const std::vector<Column>& columns_;
  std::size_t line_ = 0;
  std::vector<std::string> header_;
  std::vector<std::optional<std::size_t>> places_;  // of each column in a row
  Tsv tsv_;
};

}  // namespace

Tsv read_tsv(std::string_view text, const std::string& file, const std::vector<Column>& columns) {
  if (text.size() > Document::kMaxBytes) {
    throw BadDocument(file, "", {}, "more than 1 MiB of text");
  }
  return Reader(file, columns).read(text);
}

}  // namespace splitbench

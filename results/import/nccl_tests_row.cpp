#include "results/import/nccl_tests_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <utility>

#include "results/import/text_source.h"

namespace splitbench {
namespace {

constexpr std::size_t kTimes = 4;  // time algbw busbw #wrong

constexpr Bytes kMostBytes(0x1p53);

using Words = std::span<const std::string_view>;

bool is_name(std::string_view word) {
  return !word.empty() && std::isalpha(static_cast<unsigned char>(word.front())) != 0 &&
         word != "N/A";
}

// Cheaper than to read the words of a line.
bool begins_with_number(std::string_view line) {
  line = trimmed(line);
  return !line.empty() && std::isdigit(static_cast<unsigned char>(line.front())) != 0;
}

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_time_column(std::string_view word) {
  return word == "time" || word == "cputime";
}

bool is_wrong_column(std::string_view word) {
  return word == "#wrong" || word == "wrong" || word == "error";
}

// A count of wrong values: "0", "3.6e+07", "N/A"; with an asterisk beyond rccl-tests' threshold.
Answer<std::optional<double>> wrong_in(std::string_view word, bool counts) {
  using Result = Answer<std::optional<double>>;
  if (word == "N/A") return std::optional<double>();
  const bool marked = word.ends_with('*');
  if (marked) word.remove_suffix(1);
  const auto value = number_in(word);
  if (!value || *value < 0.0) return Result::none(fmt::format("'{}' is no count", word));
  if (counts) return value;
  // A deviation: what rounding leaves. The line below the table says whether it is too large.
  return std::optional<double>(marked ? 1.0 : 0.0);
}

Answer<CollectiveTime> time_in(Words words, bool counts_wrong) {
  using None = Answer<CollectiveTime>;
  const auto time = number_in(words[0]);
  const auto algorithm = number_in(words[1]);
  const auto bus = number_in(words[2]);
  if (!time || !algorithm || !bus || *time < 0.0 || *algorithm < 0.0 || *bus < 0.0) {
    return None::none(
        fmt::format("'{} {} {}' is no time with two rates", words[0], words[1], words[2]));
  }
  const auto wrong = wrong_in(words[3], counts_wrong);
  if (!wrong) return None::none(wrong.reason());
  return CollectiveTime{.time = Seconds(1e-6 * *time),
                        .algorithm_gb_per_s = *algorithm,
                        .bus_gb_per_s = *bus,
                        .wrong = *wrong};
}

// What stands between the type and the times: an operation and a root, or neither.
std::size_t after_operation(Words words, CollectiveRow& row) {
  std::size_t at = 3;
  if (at < words.size() && is_name(words[at])) row.redop = words[at++];
  return at;
}

Answer<CollectiveRow> with_times(CollectiveRow row, Words times, const NcclTestsColumns& columns) {
  using None = Answer<CollectiveRow>;
  const std::size_t groups = times.size() / columns.per_group;
  if (groups * columns.per_group != times.size() || groups == 0 ||
      groups > columns.groups.value_or(2) || groups < columns.groups.value_or(1)) {
    return None::none(fmt::format("cut, or wrapped by a terminal: {} columns of times; expected {}",
                                  times.size(), columns.groups.value_or(2) * columns.per_group));
  }
  for (std::size_t group = 0; group < groups; ++group) {
    const auto time =
        time_in(times.subspan(group * columns.per_group, kTimes), columns.counts_wrong);
    if (!time) return None::none(time.reason());
    const bool in_place = group == 1 || (groups == 1 && columns.in_place_first);
    (in_place ? row.in_place : row.out_of_place) = *time;
  }
  if (row.size > Bytes(0) && !(row.time().time > Seconds(0))) return None::none("a time of 0");
  return row;
}

}  // namespace

std::optional<NcclTestsColumns> columns_in(std::string_view line) {
  if (line.find("size") == std::string_view::npos) return std::nullopt;  // most lines
  const auto words = words_of(line);
  const auto size = std::find(words.begin(), words.end(), "size");
  if (size == words.end() || size - words.begin() > 1) return std::nullopt;
  const auto first = std::find_if(size, words.end(), is_time_column);
  if (first == words.end() || std::find(size, first, "count") == first) return std::nullopt;
  const auto second = std::find_if(first + 1, words.end(), is_time_column);
  const auto wrong = std::find_if(first, second, is_wrong_column);
  if (wrong == second || wrong - first != static_cast<std::ptrdiff_t>(kTimes) - 1)
    return std::nullopt;
  NcclTestsColumns columns;
  columns.groups = second == words.end() ? 1 : 2;
  columns.times_of_host = *first == "cputime";
  columns.timestamp = words.back() == "timestamp";
  columns.per_group = static_cast<std::size_t>(second - first);
  columns.words = static_cast<std::size_t>(words.end() - size) + (columns.timestamp ? 1 : 0);
  if (*columns.groups == 1 && columns.timestamp) --columns.per_group;
  columns.has_root = std::find(size, first, "root") != first;
  columns.counts_wrong = *wrong != "error";
  return columns;
}

bool begins_row(std::string_view line) {
  if (!begins_with_number(line)) return false;
  const auto words = words_of(line);
  if (words.size() < 2) return false;
  const auto size = whole_number_in(words[0]);
  const auto count = whole_number_in(words[1]);
  if (!size || !count || *size < 0 || *count < 0) return false;
  return words.size() > 2 ? is_name(words[2]) && *size >= *count : *size >= *count;
}

bool ends_row(std::string_view line) {
  if (!begins_with_number(line)) return false;
  const auto words = words_of(line);
  const bool numbers = std::all_of(words.begin(), words.end(), [](std::string_view word) {
    return word == "N/A" || number_in(word);
  });
  return numbers && (words.size() == kTimes || words.size() == 2 * kTimes);
}

bool is_unit_line(std::string_view line) {
  if (!trimmed(line).starts_with('(')) return false;  // most lines
  const auto words = words_of(line);
  return words.size() > 2 && std::all_of(words.begin(), words.end(), [](std::string_view word) {
           return word.starts_with('(') && word.ends_with(')');
         });
}

std::string foreign_unit(std::string_view line) {
  constexpr std::array<std::string_view, 4> kUnits{"(B)", "(elements)", "(us)", "(GB/s)"};
  const auto words = words_of(line);
  const auto foreign = std::find_if(words.begin(), words.end(), [&](std::string_view word) {
    return std::find(kUnits.begin(), kUnits.end(), word) == kUnits.end();
  });
  return foreign == words.end() ? std::string() : std::string(*foreign);
}

std::string unread_size(std::string_view line, const NcclTestsColumns& columns) {
  if (columns.words == 0 || !(begins_with_number(line) || trimmed(line).starts_with('-')))
    return {};
  const auto words = words_of(line);
  if (words.size() != columns.words || !has_digit(words[1]) || !is_name(words[2])) return {};
  for (const auto& [word, what] : {std::pair(words[0], "size"), {words[1], "count of values"}}) {
    const auto number = whole_number_in(word);
    if (!number || *number < 0) return fmt::format("'{}' is no {}", word, what);
  }
  return fmt::format("{} values are more than {} bytes", words[1], words[0]);
}

Answer<CollectiveRow> row_in(std::string_view line, const NcclTestsColumns& columns) {
  using None = Answer<CollectiveRow>;
  const auto all = words_of(line);
  const Words words(all);
  if (words.size() < 4) {
    return None::none(fmt::format("cut: {} columns", words.size()));
  }
  CollectiveRow row;
  row.size = Bytes(static_cast<double>(*whole_number_in(words[0])));
  if (row.size > kMostBytes) return None::none("a size of more than 2^53 bytes");
  row.dtype = words[2];
  Words rest = words.subspan(after_operation(words, row));
  if (columns.timestamp && rest.size() >= 2) rest = rest.first(rest.size() - 2);
  if (columns.has_root.value_or(rest.size() % columns.per_group == 1)) {
    if (rest.empty() || !whole_number_in(rest[0])) return None::none("cut: there is no root");
    rest = rest.subspan(1);
  }
  return with_times(std::move(row), rest, columns);
}

}  // namespace splitbench

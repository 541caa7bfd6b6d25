#include "results/import/text_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <iterator>

#include "protocols/document.h"
#include "protocols/input_file.h"

namespace splitbench {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Bytes of the UTF-8 character that begins the text; 0 where none does.
std::size_t character_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80    ? 1
                             : first < 0xC2  ? 0
                             : first < 0xE0  ? 2
                             : first < 0xF0  ? 3
                             : first <= 0xF4 ? 4
                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  const unsigned second = length > 1 ? byte(1) : 0;
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool beyond = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return overlong || beyond ? 0 : length;
}

// Bytes of the escape sequence that begins the text: ECMA-48 control sequences and the operating
// system commands of terminals.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2) return 1;
  if (text[1] == '[') {
    std::size_t end = 2;
    while (end < text.size() && (text[end] < 0x40 || text[end] > 0x7E)) ++end;
    return std::min(end + 1, text.size());
  }
  if (text[1] == ']') {
    const std::size_t bell = text.find('\a');
    return bell == std::string_view::npos ? text.size() : bell + 1;
  }
  return 2;
}

// A colour whose escape character was lost on the way: "[4m", "[0m".
std::size_t lost_escape_length(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size() && (is_digit(text[end]) || text[end] == ';')) ++end;
  return end > 1 && end < text.size() && text[end] == 'm' ? end + 1 : 0;
}

// Stands for itself wherever it is.
bool is_plain(char c) {
  return c >= ' ' && c <= '~' && c != '[';
}

// One character of what is printed, and how many bytes it took.
struct Piece {
  std::string_view text;
  std::size_t length;
};

Piece next_piece(std::string_view rest) {
  const char first = rest.front();
  if (first == '\x1b') return {"", escape_length(rest)};
  if (first == '[') {
    if (const std::size_t lost = lost_escape_length(rest)) return {"", lost};
  }
  if (first == '\t') return {"\t", 1};
  if (static_cast<unsigned char>(first) < 0x20 || first == 0x7F) return {" ", 1};
  const std::size_t length = character_length(rest);
  if (length == 0) return {"?", 1};
  const bool control = length == 2 && first == '\xC2' && static_cast<unsigned char>(rest[1]) < 0xA0;
  const bool no_break = rest.starts_with("\xC2\xA0");
  return {control || no_break ? std::string_view(" ") : rest.substr(0, length), length};
}

void drop_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
}

// "> " before what is quoted, "> > " or ">> " before what is quoted again.
void drop_quoting(std::string_view& line) {
  std::string_view rest = line;
  drop_blanks(rest);
  if (!rest.starts_with('>')) return;
  const std::size_t marks = std::min(rest.find_first_not_of("> \t"), rest.size());
  if (marks < rest.size() && rest[marks - 1] == '>') return;  // ">>>text" is no quotation
  const std::size_t last = rest.substr(0, marks).rfind('>');
  line = rest.substr(last + 1);
}

// How much of the text is like the pattern, where 0 stands for a digit; 0 where it is not.
std::size_t like(std::string_view pattern, std::string_view text) {
  const auto same = [](char p, char c) { return p == '0' ? is_digit(c) : p == c; };
  const bool all = text.size() >= pattern.size() &&
                   std::equal(pattern.begin(), pattern.end(), text.begin(), same);
  return all ? pattern.size() : 0;
}

// Bytes of a fraction of a second and of an offset, as far as there are such.
std::size_t rest_of_time(std::string_view text) {
  std::size_t end = 0;
  if (text.starts_with('.') || text.starts_with(',')) {
    end = std::min(text.find_first_not_of("0123456789", 1), text.size());
  }
  text.remove_prefix(end);
  if (text.starts_with('Z')) return end + 1;
  for (const char* offset : {"+00:00", "-00:00", "+0000", "-0000"}) {
    if (const std::size_t length = like(offset, text)) return end + length;
  }
  return end;
}

// "2026-11-30T12:00:00.123456789Z ", as kubectl and docker logs put it before a line, or
// "[2026-11-30 12:00:00] ". Source: RFC 3339, section 5.6, the offset not always there.
void drop_timestamp(std::string_view& line) {
  std::string_view rest = line;
  drop_blanks(rest);
  const bool bracket = rest.starts_with('[');
  if (bracket) rest.remove_prefix(1);
  const std::size_t length =
      std::max(like("0000-00-00T00:00:00", rest), like("0000-00-00 00:00:00", rest));
  if (length == 0) return;
  rest.remove_prefix(length);
  rest.remove_prefix(rest_of_time(rest));
  if (bracket && !rest.starts_with(']')) return;
  if (bracket) rest.remove_prefix(1);
  if (!rest.empty() && kBlanks.find(rest.front()) == std::string_view::npos) return;
  line = rest.substr(rest.empty() ? 0 : 1);
}

// The tag that begins the line as it stands there, and the rank in it.
struct Tag {
  std::string whole;
  std::string rank;
};

// "12: ", as srun --label puts it.
std::optional<Tag> label_tag(std::string_view line) {
  std::string_view rest = line;
  drop_blanks(rest);
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (digits == 0 || digits > 6 || !rest.substr(digits).starts_with(":")) return std::nullopt;
  const std::string_view after = rest.substr(digits + 1);
  if (!after.empty() && after.front() != ' ') return std::nullopt;
  const std::size_t length = line.size() - after.size();
  return Tag{std::string(line.substr(0, length)), std::string(rest.substr(0, digits))};
}

// "[1,0]<stdout>:" or "[0]", as mpirun --tag-output and other launchers put it.
std::optional<Tag> bracket_tag(std::string_view line) {
  std::string_view rest = line;
  drop_blanks(rest);
  if (!rest.starts_with("[")) return std::nullopt;
  const std::size_t close = rest.find(']');
  if (close == std::string_view::npos || close < 2 || close > 80) return std::nullopt;
  const std::string_view rank = rest.substr(1, close - 1);
  for (const std::string_view stream : {"<stdout>:", "<stderr>:"}) {
    if (rest.substr(close + 1).starts_with(stream)) {
      return Tag{std::string(rest.substr(0, close + 1 + stream.size())), std::string(rank)};
    }
  }
  const bool number = rank.find_first_not_of("0123456789") == std::string_view::npos;
  if (!number) return std::nullopt;
  return Tag{std::string(rest.substr(0, close + 1)), std::string(rank)};
}

// Takes the tag away, in the middle of the line too: a launcher puts one before each write.
std::string untagged(std::string text, std::string& rank) {
  if (const auto label = label_tag(text)) {
    rank = label->rank;
    return text.substr(label->whole.size());
  }
  const auto tag = bracket_tag(text);
  if (!tag) return text;
  rank = tag->rank;
  std::string without;
  std::size_t from = 0;
  for (std::size_t at = 0; (at = text.find(tag->whole, from)) != std::string::npos;) {
    without.append(text, from, at - from) += ' ';
    from = at + tag->whole.size();
  }
  return without.append(text, from, std::string::npos);
}

TextLine cleaned(std::string_view line, std::size_t number) {
  constexpr std::string_view kSourceNote = "#@ ";         // where a collected piece comes from
  constexpr std::size_t kLongest = std::size_t{1} << 16;  // of lines that tools print
  TextLine result{.number = number, .text = {}, .tag = {}};
  if (line.starts_with(kSourceNote) || line.size() > kLongest) return result;
  const std::string text = printable(line);
  std::string_view rest = text;
  drop_quoting(rest);
  drop_timestamp(rest);
  std::string_view inner = rest;
  drop_blanks(inner);
  if (inner.starts_with("```") || inner.starts_with("~~~")) return result;
  result.text = untagged(std::string(rest), result.tag);
  rest = result.text;
  drop_timestamp(rest);
  result.text.erase(0, result.text.size() - rest.size());
  return result;
}

std::string read_all(std::istream& stream) {
  std::string text(TextSource::kMaxBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

template <class Number>
std::optional<Number> whole_text(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

TextSource::TextSource(std::string text, std::string file)
    : file_(std::move(file)), raw_(std::move(text)) {
  if (raw_.size() > kMaxBytes) throw BadDocument(file_, "", {}, "more than 8 MiB of text");
  if (raw_.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw BadDocument(file_, "", {}, "there is nothing in it");
  }
  if (const std::size_t zero = raw_.find('\0'); zero != std::string::npos) {
    fail(line_at(zero), "there is a byte 0; expected UTF-8 text, and not UTF-16");
  }
  const std::size_t count = line_at(raw_.size());
  if (count > kMaxLines) {
    fail(kMaxLines, fmt::format("the text goes on; expected at most {} lines", kMaxLines));
  }
  lines_.reserve(count);
  std::string_view rest = raw_;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    lines_.push_back(cleaned(rest.substr(0, end), lines_.size() + 1));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
}

std::size_t TextSource::line_at(std::size_t offset) const {
  const auto end = raw_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, raw_.size()));
  return static_cast<std::size_t>(std::count(raw_.begin(), end, '\n')) + 1;
}

void TextSource::fail(std::size_t line, const std::string& message) const {
  throw BadDocument(file_, "", {.line = line, .column = 1}, message);
}

TextSource read_text_source(const std::string& file) {
  if (file == "-") return {read_all(std::cin), "standard input"};
  return {read_input_file(file, TextSource::kMaxBytes + 1), file};
}

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto odd = std::find_if_not(text.begin(), text.end(), is_plain);
    const auto plain = static_cast<std::size_t>(odd - text.begin());
    shown += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Piece piece = next_piece(text);
    shown += piece.text;
    text.remove_prefix(piece.length);
  }
  return shown;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    drop_blanks(line);
    if (line.empty()) return words;
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t tab = line.find('\t');
    cells.push_back(trimmed(line.substr(0, tab)));
    if (tab == std::string_view::npos) return cells;
    line.remove_prefix(tab + 1);
  }
}

std::string_view trimmed(std::string_view text) {
  drop_blanks(text);
  const std::size_t last = text.find_last_not_of(kBlanks);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::optional<double> number_in(std::string_view text) {
  const auto value = whole_text<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<long long> whole_number_in(std::string_view text) {
  return whole_text<long long>(text);
}

std::optional<long long> whole_number_after(std::string_view line, std::string_view before) {
  for (std::size_t at = 0; (at = line.find(before, at)) != std::string_view::npos; ++at) {
    std::string_view rest = line.substr(at + before.size());
    drop_blanks(rest);
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (const auto number = whole_number_in(rest.substr(0, digits))) return number;
  }
  return std::nullopt;
}

}  // namespace splitbench

#include "results/import/text_source.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

#include "protocols/document.h"

namespace splitbench {
namespace {

constexpr std::string_view kBlanks = " \t";

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

// "> " before what is quoted, as often as it is.
void drop_quoting(std::string_view& line) {
  for (;;) {
    std::string_view rest = line;
    drop_blanks(rest);
    if (!rest.starts_with("> ") && rest != ">") return;
    rest.remove_prefix(1);
    line = rest;
  }
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
  constexpr std::string_view kSourceNote = "#@ ";  // where a collected piece comes from
  if (line.starts_with(kSourceNote)) return {.number = number, .text = {}, .tag = {}};
  TextLine result{.number = number, .text = {}, .tag = {}};
  const std::string text = printable(line);
  std::string_view rest = text;
  drop_quoting(rest);
  std::string_view inner = rest;
  drop_blanks(inner);
  if (inner.starts_with("```") || inner.starts_with("~~~")) return result;
  result.text = untagged(std::string(rest), result.tag);
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
  std::string_view rest = raw_;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    if (line.find('\0') != std::string_view::npos) {
      fail(number, "there is a byte 0; expected UTF-8 text, and not UTF-16");
    }
    lines_.push_back(cleaned(line, number));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  const auto empty = [](const TextLine& line) { return trimmed(line.text).empty(); };
  if (std::all_of(lines_.begin(), lines_.end(), empty)) {
    throw BadDocument(file_, "", {}, "there is nothing in it");
  }
}

void TextSource::fail(std::size_t line, const std::string& message) const {
  throw BadDocument(file_, "", {.line = line, .column = 1}, message);
}

TextSource read_text_source(const std::string& file) {
  if (file == "-") return {read_all(std::cin), "standard input"};
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw BadDocument(file, "", {}, "cannot be read: it is a directory");
  }
  // What waits for a writer, or never ends, is not opened.
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error)) {
    throw BadDocument(file, "", {}, "cannot be read: it is no regular file; '-' is standard input");
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw BadDocument(file, "", {}, "cannot be read: " + std::generic_category().message(errno));
  }
  return {read_all(stream), file};
}

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
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

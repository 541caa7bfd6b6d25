// What people paste, as lines that a parser can read: without colours, carriage returns, quoting,
// code fences, the timestamps that a collector of logs puts before a line, and the tags that a
// launcher puts before what each rank prints. Lines keep the numbers they have in the file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitbench {

struct TextLine {
  std::size_t number = 0;  // from 1
  std::string text;        // UTF-8 without control characters but tabs; not trimmed
  std::string tag;  // whose line it is: "0" of "0: ...", "1,0" of "[1,0]<stdout>:..."; or none
};

class TextSource {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{8} << 20;
  static constexpr std::size_t kMaxLines = 500'000;

  // `file`: the name in messages. Throws BadDocument for more than 8 MiB or lines, for a byte 0
  // (UTF-16, or no text at all), and for text without a word.
  TextSource(std::string text, std::string file);

  const std::string& file() const { return file_; }
  const std::string& raw() const { return raw_; }  // as it was given
  // A line of more than 64 KiB, which no tool prints but as JSON, has no text here.
  const std::vector<TextLine>& lines() const { return lines_; }
  std::size_t line_at(std::size_t offset) const;  // its number, from 1, of a byte of raw()

  [[noreturn]] void fail(std::size_t line, const std::string& message) const;  // BadDocument

 private:
  std::string file_;
  std::string raw_;
  std::vector<TextLine> lines_;
};

// A file, or standard input where it is called "-". Throws BadDocument likewise, and where it
// cannot be read.
TextSource read_text_source(const std::string& file);

// As it may be shown: UTF-8, control characters and broken bytes replaced, colours taken out.
std::string printable(std::string_view text);

// Parts of a line between blanks (spaces and tabs), and between single tabs, trimmed.
std::vector<std::string_view> words_of(std::string_view line);
std::vector<std::string_view> cells_of(std::string_view line);

std::string_view trimmed(std::string_view text);

// The whole text as a number; none for anything else, NaN and infinity too.
std::optional<double> number_in(std::string_view text);
std::optional<long long> whole_number_in(std::string_view text);

// The whole number that follows `before` at the first place where one does.
std::optional<long long> whole_number_after(std::string_view line, std::string_view before);

}  // namespace splitbench

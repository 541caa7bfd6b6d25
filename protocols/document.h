// JSON text as a checked document: where each value stands, and an error that says so.
//
// Refused, with line and column: anything that is not JSON (comments and trailing commas too), a
// key given twice in one object, numbers that are not finite (NaN, Infinity, 1e999), nesting deeper
// than 64 and text longer than 1 MiB.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace splitbench {

// Where something stands in a text: both from 1; the column counts characters, not bytes.
struct Position {
  std::size_t line = 0;
  std::size_t column = 0;

  friend bool operator==(const Position&, const Position&) = default;
};

// Thrown for a document that cannot be used. what() reads
//   FILE:LINE:COLUMN: at POINTER: MESSAGE
// without "at POINTER" for the whole document and without LINE:COLUMN where line is 0 (a file that
// cannot be read).
class BadDocument : public std::runtime_error {
 public:
  BadDocument(std::string file, std::string pointer, Position position, std::string message);

  const std::string& file() const { return file_; }
  const std::string& pointer() const { return pointer_; }  // JSON pointer, RFC 6901
  Position position() const { return position_; }
  const std::string& message() const { return message_; }  // what was expected, what was found

 private:
  std::string file_;
  std::string pointer_;
  Position position_;
  std::string message_;
};

class Document {
 public:
  static constexpr std::size_t kMaxDepth = 64;
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

  // Parses `text`; `file` is the name used in messages. Throws BadDocument. `most` bytes: what a
  // person writes has the usual limit, what a program writes may be longer.
  Document(std::string text, std::string file, std::size_t most = kMaxBytes);

  const nlohmann::json& value() const { return value_; }

  // Where the value at a JSON pointer starts, and where its key does (an array's element has none:
  // the element then). Throws std::out_of_range for a pointer to nothing. Reads the text again: for
  // messages, not for loops.
  Position position(std::string_view pointer) const;
  Position key_position(std::string_view pointer) const;

  // Throws BadDocument at the value, or at the key.
  [[noreturn]] void fail(const std::string& pointer, const std::string& message) const;
  [[noreturn]] void fail_at_key(const std::string& pointer, const std::string& message) const;

 private:
  std::string text_;
  std::string file_;
  nlohmann::json value_;
};

// The text of a file, for a Document to be made of: no more of it than one may have, and one byte.
// Throws BadDocument, without a position, where it cannot be read.
std::string read_document(const std::filesystem::path& path);

}  // namespace splitbench

#include "protocols/document.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "protocols/input_file.h"

namespace splitbench {
namespace {

using nlohmann::json;

// Text from a document, safe for a terminal: control characters and non-ASCII escaped.
std::string printable(const std::string& text) {
  const std::string quoted = json(text).dump(-1, ' ', true, json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

std::string clipped(std::string text) {
  constexpr std::size_t kLongest = 200;
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

std::string what_text(const std::string& file, const std::string& pointer, Position position,
                      const std::string& message) {
  std::string text = file + ":";
  if (position.line > 0) {
    text += std::to_string(position.line) + ":" + std::to_string(position.column) + ":";
  }
  if (!pointer.empty()) text += " at " + clipped(printable(pointer)) + ":";
  return text + " " + message;
}

bool continues_character(char byte) {  // second and later bytes of a UTF-8 character
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

Position position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view line = before.substr(line_start);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const auto characters =
      std::count_if(line.begin(), line.end(), [](char byte) { return !continues_character(byte); });
  return {static_cast<std::size_t>(lines) + 1, static_cast<std::size_t>(characters) + 1};
}

// Walks over a text one token for each event of the parser, which itself tells no positions.
// Between two events there is nothing but white space, commas and colons.
class TokenCursor {
 public:
  explicit TokenCursor(std::string_view text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ = kByteOrderMark.size();
  }

  // Offset of the next token, which is then passed.
  std::size_t next() {
    const std::size_t start = skip(at_, " \t\r\n,:");
    if (text_[start] == '"') {
      at_ = string_end(start);
    } else if (std::string_view("{}[]").find(text_[start]) != std::string_view::npos) {
      at_ = start + 1;
    } else {
      at_ = std::min(text_.find_first_of(" \t\r\n,:{}[]", start), text_.size());
    }
    return start;
  }

  // Offset of the token at which the parser gave up, having read `consumed` bytes.
  std::size_t refused(std::size_t consumed) const {
    std::size_t start = skip(at_, " \t\r\n");
    while (start + 1 < consumed && start < text_.size() &&
           (text_[start] == ',' || text_[start] == ':')) {
      start = skip(start + 1, " \t\r\n");
    }
    return std::min({start, consumed - 1, text_.size()});
  }

 private:
  std::size_t skip(std::size_t from, std::string_view characters) const {
    return std::min(text_.find_first_not_of(characters, from), text_.size());
  }

  std::size_t string_end(std::size_t start) const {
    std::size_t end = start + 1;
    while (text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    return end + 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// What the parser's own message says after its code, its position and what it was parsing.
std::string syntax_message(std::string_view refused, const json::exception& error) {
  constexpr int kNumberOverflow = 406;
  if (error.id == kNumberOverflow) {
    const std::string_view number = refused.substr(0, refused.find_first_of(" \t\r\n,]}"));
    return "expected a finite number, found " + std::string(number.substr(0, 40)) +
           ", which is too large";
  }
  for (const std::string_view word : {"NaN", "nan", "Inf", "inf", "-Inf", "-inf"}) {
    if (refused.substr(0, word.size()) == word) {
      return "expected a finite number; JSON has no NaN and no Infinity";
    }
  }
  std::string text = error.what();
  if (const std::size_t start = text.find(" - "); start != std::string::npos) {
    text.erase(0, start + 3);
  }
  const std::size_t expected = text.find("; expected");
  const std::string tail = expected == std::string::npos ? "" : text.substr(expected);
  // The parser quotes what it read last, raw: the position says it better.
  text.erase(std::min(text.find("; last read"), text.size() - tail.size()));
  return "not JSON: " + printable(text) + tail;
}

struct Place {
  std::size_t value;
  std::size_t key;
};

// Reads a text once: refuses what the parser itself lets pass, and finds the place of one pointer.
class Walker : public json::json_sax_t {
 public:
  Walker(std::string_view text, const std::string& file, std::optional<std::string> wanted)
      : text_(text), file_(file), cursor_(text), wanted_(std::move(wanted)) {}

  const std::optional<Place>& found() const { return found_; }

  bool null() override { return scalar(); }
  bool boolean(bool) override { return scalar(); }
  bool number_integer(number_integer_t) override { return scalar(); }
  bool number_unsigned(number_unsigned_t) override { return scalar(); }
  bool number_float(number_float_t, const string_t&) override { return scalar(); }
  bool string(string_t&) override { return scalar(); }
  bool binary(binary_t&) override { return false; }  // not in JSON text

  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    key_at_ = cursor_.next();
    enter(escaped(name));
    if (!open_.back().keys.insert(name).second) {
      fail(key_at_, "the key \"" + clipped(printable(name)) + "\" is given twice");
    }
    return true;
  }

  bool parse_error(std::size_t consumed, const std::string&,
                   const json::exception& error) override {
    const std::size_t offset = cursor_.refused(consumed);
    fail(offset, syntax_message(text_.substr(offset), error));
  }

 private:
  struct Container {
    bool is_array;
    std::size_t pointer_length;
    std::size_t elements = 0;
    std::set<std::string> keys = {};
  };

  static std::string escaped(const std::string& name) {
    return (json::json_pointer() / name).to_string().substr(1);
  }

  [[noreturn]] void fail(std::size_t offset, const std::string& message) const {
    throw BadDocument(file_, pointer_, position_of(text_, offset), message);
  }

  void enter(const std::string& token) {
    pointer_ += '/';
    pointer_ += token;
  }

  // The value that pointer_ names is done: back to the container it is in.
  void leave() { pointer_.resize(open_.empty() ? 0 : open_.back().pointer_length); }

  bool scalar() {
    const bool walk_on = value(cursor_.next());
    leave();
    return walk_on;
  }

  // False, which ends the walk, where this is the value that was wanted.
  bool value(std::size_t offset) {
    if (!open_.empty() && open_.back().is_array) {
      enter(std::to_string(open_.back().elements++));
      key_at_ = offset;
    }
    if (wanted_ != pointer_) return true;
    found_ = Place{offset, open_.empty() ? offset : key_at_};
    return false;
  }

  bool open(bool is_array) {
    const std::size_t offset = cursor_.next();
    if (!value(offset)) return false;
    if (open_.size() == Document::kMaxDepth) {
      fail(offset, "nested deeper than " + std::to_string(Document::kMaxDepth) + " levels");
    }
    open_.push_back({is_array, pointer_.size()});
    return true;
  }

  bool close() {
    cursor_.next();
    open_.pop_back();
    leave();
    return true;
  }

  std::string_view text_;
  const std::string& file_;
  TokenCursor cursor_;
  std::optional<std::string> wanted_;
  std::optional<Place> found_;
  std::string pointer_;
  std::size_t key_at_ = 0;
  std::vector<Container> open_;
};

Place find(const std::string& text, const std::string& file, std::string_view pointer) {
  Walker walker(text, file, std::string(pointer));
  json::sax_parse(text, &walker);
  if (!walker.found()) throw std::out_of_range("no value at " + std::string(pointer));
  return *walker.found();
}

}  // namespace

BadDocument::BadDocument(std::string file, std::string pointer, Position position,
                         std::string message)
    : std::runtime_error(what_text(file, pointer, position, message)),
      file_(std::move(file)),
      pointer_(std::move(pointer)),
      position_(position),
      message_(std::move(message)) {}

Document::Document(std::string text, std::string file, std::size_t most)
    : text_(std::move(text)), file_(std::move(file)) {
  if (text_.size() > most) {
    throw BadDocument(file_, "", {}, "longer than " + std::to_string(most) + " bytes");
  }
  if (text_.empty()) throw BadDocument(file_, "", {1, 1}, "the document is empty");
  Walker walker(text_, file_, std::nullopt);
  json::sax_parse(text_, &walker);
  value_ = json::parse(text_);
}

Position Document::position(std::string_view pointer) const {
  return position_of(text_, find(text_, file_, pointer).value);
}

Position Document::key_position(std::string_view pointer) const {
  return position_of(text_, find(text_, file_, pointer).key);
}

void Document::fail(const std::string& pointer, const std::string& message) const {
  throw BadDocument(file_, pointer, position(pointer), message);
}

void Document::fail_at_key(const std::string& pointer, const std::string& message) const {
  throw BadDocument(file_, pointer, key_position(pointer), message);
}

std::string read_document(const std::filesystem::path& path) {
  return read_input_file(path, Document::kMaxBytes + 1);
}

}  // namespace splitbench

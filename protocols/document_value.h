// One value of a document, read with its type and range checked. Every function throws BadDocument,
// with the value's JSON pointer and position, where the value is not what was asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/document.h"
#include "protocols/named.h"

namespace splitbench {

// A view: the document must outlive it.
class DocumentValue {
 public:
  explicit DocumentValue(const Document& document);  // the whole document

  // This is an object with all of the required keys and none but the required and optional ones.
  void check_keys(const std::vector<std::string_view>& required,
                  const std::vector<std::string_view>& optional) const;
  std::optional<DocumentValue> member(std::string_view key) const;
  std::vector<DocumentValue> elements(std::size_t most) const;  // this is an array
  bool is_array() const { return value_->is_array(); }
  bool is_text() const { return value_->is_string(); }
  bool is_null() const { return value_->is_null(); }

  std::int64_t whole(std::int64_t least, std::int64_t most) const;  // written without . and e
  double number(double least, double most) const;
  std::string text(std::size_t longest) const;  // 1 to `longest` bytes
  bool boolean() const;
  std::string_view one_of(std::span<const std::string_view> names) const;
  template <class Enum>
  Enum choice(std::span<const Named<Enum>> table) const {
    return *find_in(table, one_of(names_in(table)));
  }

  // The member, or `otherwise` where there is none.
  std::int64_t whole(std::string_view key, std::int64_t otherwise, std::int64_t least,
                     std::int64_t most) const;
  double number(std::string_view key, double otherwise, double least, double most) const;
  bool boolean(std::string_view key, bool otherwise) const;
  template <class Enum>
  Enum choice(std::string_view key, Enum otherwise, std::span<const Named<Enum>> table) const {
    const auto found = member(key);
    return found ? found->choice(table) : otherwise;
  }

  [[noreturn]] void fail(const std::string& message) const;
  // "expected EXPECTED, found ...", with the value as it is written.
  [[noreturn]] void refuse(const std::string& expected) const;

 private:
  DocumentValue(const Document& document, std::string pointer, const nlohmann::json& value);
  DocumentValue child(const std::string& token, const nlohmann::json& value) const;

  const Document* document_;
  std::string pointer_;
  const nlohmann::json* value_;
};

}  // namespace splitbench

#include "protocols/document_value.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "protocols/nearest.h"

namespace splitbench {
namespace {

using nlohmann::json;

// As it is written, on one line, short and safe for a terminal.
std::string shown(const json& value) {
  constexpr std::size_t kLongest = 60;
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  std::string text = value.dump(-1, ' ', true);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

std::string shown(double number) {
  return json(number).dump();
}

std::string joined(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    text += text.empty() ? "" : ", ";
    text += word;
  }
  return text;
}

}  // namespace

DocumentValue::DocumentValue(const Document& document)
    : DocumentValue(document, "", document.value()) {}

DocumentValue::DocumentValue(const Document& document, std::string pointer, const json& value)
    : document_(&document), pointer_(std::move(pointer)), value_(&value) {}

DocumentValue DocumentValue::child(const std::string& token, const json& value) const {
  return {*document_, (json::json_pointer(pointer_) / token).to_string(), value};
}

void DocumentValue::check_keys(const std::vector<std::string_view>& required,
                               const std::vector<std::string_view>& optional) const {
  if (!value_->is_object()) refuse("an object");
  std::vector<std::string_view> known = required;
  known.insert(known.end(), optional.begin(), optional.end());
  for (const auto& [key, value] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string hint = suggestion(key, known);
    document_->fail_at_key(
        child(key, value).pointer_,
        "unknown key" + (hint.empty() ? "; expected one of " + joined(known) : hint));
  }
  for (const std::string_view key : required) {
    if (!value_->contains(std::string(key))) fail("the key '" + std::string(key) + "' is missing");
  }
}

std::optional<DocumentValue> DocumentValue::member(std::string_view key) const {
  const auto found = value_->find(std::string(key));
  if (found == value_->end()) return std::nullopt;
  return child(std::string(key), *found);
}

std::vector<DocumentValue> DocumentValue::elements(std::size_t most) const {
  if (!value_->is_array()) refuse("a list");
  if (value_->size() > most) refuse("a list of at most " + std::to_string(most));
  std::vector<DocumentValue> values;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    values.push_back(child(std::to_string(i), (*value_)[i]));
  }
  return values;
}

std::int64_t DocumentValue::whole(std::int64_t least, std::int64_t most) const {
  // Beyond 2^63 the parser holds an unsigned number, which would come back negative.
  const bool fits =
      value_->is_number_integer() &&
      (!value_->is_number_unsigned() ||
       value_->get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  const std::int64_t number = fits ? value_->get<std::int64_t>() : least;
  if (!fits || number < least || number > most) {
    refuse("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return number;
}

double DocumentValue::number(double least, double most) const {
  const double number = value_->is_number() ? value_->get<double>() : least;
  if (!value_->is_number() || number < least || number > most) {
    refuse("a number from " + shown(least) + " to " + shown(most));
  }
  return number;
}

std::string DocumentValue::text(std::size_t longest) const {
  if (!value_->is_string()) refuse("a text");
  auto text = value_->get<std::string>();
  if (text.empty() || text.size() > longest) {
    refuse("a text of 1 to " + std::to_string(longest) + " bytes");
  }
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (std::any_of(text.begin(), text.end(), is_control)) {
    refuse("a text without control characters");
  }
  return text;
}

bool DocumentValue::boolean() const {
  if (!value_->is_boolean()) refuse("true or false");
  return value_->get<bool>();
}

std::string_view DocumentValue::one_of(std::span<const std::string_view> names) const {
  if (value_->is_string()) {
    const auto found = std::find(names.begin(), names.end(), value_->get_ref<const std::string&>());
    if (found != names.end()) return *found;
    const std::string hint = suggestion(value_->get_ref<const std::string&>(), names);
    if (!hint.empty()) fail("unknown name " + shown(*value_) + hint);
  }
  refuse((names.size() == 1 ? "" : "one of ") + joined(names));
}

std::int64_t DocumentValue::whole(std::string_view key, std::int64_t otherwise, std::int64_t least,
                                  std::int64_t most) const {
  const auto found = member(key);
  return found ? found->whole(least, most) : otherwise;
}

double DocumentValue::number(std::string_view key, double otherwise, double least,
                             double most) const {
  const auto found = member(key);
  return found ? found->number(least, most) : otherwise;
}

bool DocumentValue::boolean(std::string_view key, bool otherwise) const {
  const auto found = member(key);
  return found ? found->boolean() : otherwise;
}

void DocumentValue::fail(const std::string& message) const {
  document_->fail(pointer_, message);
}

void DocumentValue::refuse(const std::string& expected) const {
  fail("expected " + expected + ", found " + shown(*value_));
}

}  // namespace splitbench

#include "results/json_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

// "line 1, column 2", from 1, of the byte at this offset.
std::string place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return fmt::format("line {}, column {}", lines + 1, before.size() - (before.rfind('\n') + 1) + 1);
}

// What the parser says was expected, without what it read: the place says that.
std::string expected(const std::string& said) {
  const std::size_t words = said.find("; expected ");
  return words == said.npos ? "" : said.substr(words);
}

}  // namespace

nlohmann::ordered_json parse_json(std::string_view text, const std::string& source) {
  try {
    return nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw InvalidInput("", fmt::format("{}: at {}: not JSON{}", source,
                                       place(text, std::max<std::size_t>(error.byte, 1) - 1),
                                       expected(error.what())));
  } catch (const nlohmann::json::exception&) {
    throw InvalidInput("", source + ": expected finite numbers, found one that is too large");
  }
}

}  // namespace splitbench

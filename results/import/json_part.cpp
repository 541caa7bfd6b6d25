#include "results/import/json_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace splitbench {
namespace {

// As it was given; empty where there is none.
std::string json_text(const TextSource& source) {
  const std::string& raw = source.raw();
  std::size_t begin = 0;
  while (begin < raw.size() && raw.find_first_not_of(" \t", begin) != raw.find('{', begin)) {
    begin = std::min(raw.find('\n', begin), raw.size() - 1) + 1;
  }
  const std::size_t last = raw.rfind('}');
  if (begin >= raw.size()) return {};
  std::string text(static_cast<std::size_t>(std::count(
                       raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(begin), '\n')),
                   '\n');
  const std::size_t end = last == std::string::npos || last < begin ? raw.size() : last + 1;
  return text.append(raw, begin, end - begin);
}

}  // namespace

std::optional<Document> json_part(const TextSource& source) {
  std::string text = json_text(source);
  if (text.empty()) return std::nullopt;
  return Document(std::move(text), source.file());
}

bool has_json_key(const TextSource& source, std::string_view key) {
  return json_text(source).find(fmt::format("\"{}\"", key)) != std::string::npos;
}

}  // namespace splitbench

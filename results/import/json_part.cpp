#include "results/import/json_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace splitbench {
namespace {

// From the first line that begins with "{" on; empty where no line does. Looks at each byte once: a
// long text may have no such line.
std::string_view from_brace(std::string_view raw) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (raw.starts_with(kByteOrderMark)) raw.remove_prefix(kByteOrderMark.size());
  for (std::size_t brace = 0; (brace = raw.find('{', brace)) != std::string_view::npos;) {
    const std::size_t line = raw.rfind('\n', brace) + 1;  // npos + 1 is 0
    if (trimmed(raw.substr(line, brace - line)).empty()) return raw.substr(line);
    brace = std::min(raw.find('\n', brace), raw.size());
  }
  return {};
}

std::string_view json_text(const TextSource& source) {
  const std::string_view text = from_brace(source.raw());
  const std::size_t last = text.rfind('}');
  return last == std::string_view::npos ? text : text.substr(0, last + 1);
}

}  // namespace

std::optional<Document> json_part(const TextSource& source) {
  const std::string_view text = json_text(source);
  if (text.empty()) return std::nullopt;
  // As many lines before it as in the source, so that positions are the source's.
  const auto before = static_cast<std::size_t>(text.data() - source.raw().data());
  return Document(std::string(source.line_at(before) - 1, '\n').append(text), source.file());
}

bool has_json_key(const TextSource& source, std::string_view key) {
  return json_text(source).find(fmt::format("\"{}\"", key)) != std::string_view::npos;
}

}  // namespace splitbench

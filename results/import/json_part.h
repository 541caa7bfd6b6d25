// A JSON document in what was pasted, without what a terminal shows around it.
#pragma once

#include <optional>
#include <string_view>

#include "protocols/document.h"
#include "results/import/text_source.h"

namespace splitbench {

// From the first line that begins with "{" to the last "}"; none where no line does. Throws
// BadDocument as Document does, with the lines of the source.
std::optional<Document> json_part(const TextSource& source);

// Whether there is one, and this key is somewhere in it.
bool has_json_key(const TextSource& source, std::string_view key);

}  // namespace splitbench

// JSON text of any length, and what is wrong with it in words of this program. protocols/document.h
// says more of short ones that people write: where each value stands.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace splitbench {

// `source`: the name of the text. Throws InvalidInput, "SOURCE: at line 1, column 2: not JSON:
// ...".
nlohmann::ordered_json parse_json(std::string_view text, const std::string& source);

}  // namespace splitbench

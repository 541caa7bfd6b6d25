// A document of this program that a user names as input.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "protocols/document.h"

namespace splitbench::cli {

// As it was written. Throws BadDocument where it cannot be read, is no JSON, or its `schema` is
// none of `schemas`.
nlohmann::ordered_json read_result_file(const std::string& file,
                                        const std::vector<std::string_view>& schemas);

// What `use` makes of documents that were read; a key that is missing or of another type is then
// the file's fault: BadDocument.
template <class Use>
auto using_file(const std::string& file, Use use) {
  try {
    return use();
  } catch (const nlohmann::json::exception& error) {
    throw BadDocument(file, "", {}, std::string("it is not whole: ") + error.what());
  }
}

}  // namespace splitbench::cli

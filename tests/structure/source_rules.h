// The rules that keep the folders' arrows one-way, applied to the text of one source file.
// Source: docs/architecture.md: model <- protocols <- results <- harness -> kernels, and vendor
// names only in kernels/ and harness/backends/cuda/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace splitbench::structure {

// One broken rule, as "PATH:LINE: what is wrong". Lines count from 1.
using Violations = std::vector<std::string>;

// `path` is relative to the source tree, with '/'. A file outside the product's folders breaks
// none.
Violations check_includes(std::string_view path, std::string_view text);
Violations check_vendor_names(std::string_view path, std::string_view text);

// The text with comments and the contents of string literals blanked; lines keep their numbers.
std::string code_only(std::string_view text);

}  // namespace splitbench::structure

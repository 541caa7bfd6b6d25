// Text from the command line as a document can hold it.
#pragma once

#include <string>

namespace splitbench::cli {

// With U+FFFD in place of what is not UTF-8: the system lets names be any bytes, JSON does not.
std::string as_utf8(const std::string& text);

}  // namespace splitbench::cli

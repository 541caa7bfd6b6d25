// A word that tells bytes from almost any others: against damage, not against forgery.
#pragma once

#include <string>
#include <string_view>

namespace splitbench {

// CRC-64/XZ (ECMA-182, reflected) of the bytes, as 16 hexadecimal digits.
std::string checksum_text(std::string_view bytes);

}  // namespace splitbench

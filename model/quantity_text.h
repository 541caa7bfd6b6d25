// Quantities as people write and read them.
//
// Decimal prefixes are powers of ten (2MB = 2 000 000 bytes), binary ones carry an i (2MiB). A
// number without a unit is refused, but for a plain count of bytes. Units are case-sensitive where
// case has a meaning: b is a bit, B a byte.
#pragma once

#include <string>
#include <string_view>

#include "model/quantity.h"

namespace splitbench {

// Each throws InvalidInput("", message); the message quotes the text and says what would be right.
Seconds parse_seconds(std::string_view text);  // ns us ms s min h
Bytes parse_bytes(std::string_view text);      // B kB MB GB TB KiB MiB GiB TiB, or none
BytesPerSecond parse_bytes_per_second(std::string_view text);  // the same, /s; Mbit/s Gbit/s; inf
double parse_number(std::string_view text);                    // a finite number and nothing else
long long parse_count(std::string_view text);                  // a whole number of at least 0

// Three or more significant digits with the unit that keeps the number between 1 and 1000:
// "9.22 ms", "1.83 GB/s". Infinity is "infinite".
std::string to_text(Seconds time);
std::string to_text(Bytes size);
std::string to_text(BytesPerSecond rate);

}  // namespace splitbench

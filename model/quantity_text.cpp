#include "model/quantity_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <system_error>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

// A unit is multiply / divide base units: whole numbers, so that 30us is 30 / 10^6 rounded once.
struct Unit {
  std::string_view text;
  double multiply;
  double divide = 1.0;
};

constexpr std::array kTimeUnits{
    Unit{"ns", 1, 1e9}, Unit{"us", 1, 1e6}, Unit{"µs", 1, 1e6}, Unit{"μs", 1, 1e6},
    Unit{"ms", 1, 1e3}, Unit{"s", 1},       Unit{"min", 60},    Unit{"h", 3600},
};
constexpr std::array kByteUnits{
    Unit{"B", 1},        Unit{"kB", 1e3},     Unit{"KB", 1e3},     Unit{"MB", 1e6},
    Unit{"GB", 1e9},     Unit{"TB", 1e12},    Unit{"KiB", 0x1p10}, Unit{"MiB", 0x1p20},
    Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40},
};
constexpr std::array kRateUnits{
    Unit{"B/s", 1},        Unit{"kB/s", 1e3},     Unit{"KB/s", 1e3},     Unit{"MB/s", 1e6},
    Unit{"GB/s", 1e9},     Unit{"TB/s", 1e12},    Unit{"KiB/s", 0x1p10}, Unit{"MiB/s", 0x1p20},
    Unit{"GiB/s", 0x1p30}, Unit{"Mbit/s", 125e3}, Unit{"Gbit/s", 125e6},
};

[[noreturn]] void refuse(std::string_view text, std::string_view expected) {
  throw InvalidInput(
      "", "'" + std::string(text) + "' is not understood; expected " + std::string(expected));
}

// The number at the start of `text`, and what follows it. Hexadecimal, inf and nan are no numbers
// here, and neither is a leading plus sign.
double leading_number(std::string_view text, std::string_view& rest, std::string_view expected) {
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::result_out_of_range)
    refuse(text, std::string(expected) + " that fits a double");
  if (error != std::errc{} || !std::isfinite(number)) refuse(text, expected);
  rest = std::string_view(next, static_cast<std::size_t>(end - next));
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  return number;
}

double parse_with_unit(std::string_view text, std::span<const Unit> units, bool bare_is_base,
                       std::string_view expected) {
  std::string_view unit;
  const double number = leading_number(text, unit, expected);
  if (unit.empty() && bare_is_base) return number;
  for (const Unit& known : units) {
    if (known.text != unit) continue;
    const double value = number * known.multiply / known.divide;
    if (!std::isfinite(value)) refuse(text, std::string(expected) + " that fits a double");
    return value;
  }
  refuse(text, expected);
}

std::string with_unit(double value, std::span<const Unit> units) {
  if (std::isinf(value)) return value > 0 ? "infinite" : "-infinite";
  const Unit* chosen = &units.front();
  for (const Unit& unit : units) {
    // 0.9995 rounds up to the next unit at four digits.
    if (std::abs(value) * unit.divide >= unit.multiply * 0.99995) chosen = &unit;
  }
  std::array<char, 48> buffer{};
  const double scaled = value * chosen->divide / chosen->multiply;
  std::snprintf(buffer.data(), buffer.size(), std::abs(scaled) >= 1e4 ? "%.0f %s" : "%.4g %s",
                scaled, std::string(chosen->text).c_str());
  return buffer.data();
}

}  // namespace

Seconds parse_seconds(std::string_view text) {
  return Seconds(parse_with_unit(text, kTimeUnits, false,
                                 "a time with its unit (ns, us, ms, s, min, h), such as 12ms"));
}

Bytes parse_bytes(std::string_view text) {
  return Bytes(
      parse_with_unit(text, kByteUnits, true, "a size such as 2000000, 2MB (10^6) or 2MiB (2^20)"));
}

BytesPerSecond parse_bytes_per_second(std::string_view text) {
  if (text == "inf" || text == "infinite") {
    return BytesPerSecond(std::numeric_limits<double>::infinity());
  }
  return BytesPerSecond(parse_with_unit(
      text, kRateUnits, false, "a rate with its unit, such as 10GB/s, 10GiB/s or 100Gbit/s"));
}

double parse_number(std::string_view text) {
  std::string_view rest;
  const double number = leading_number(text, rest, "a plain number");
  if (!rest.empty()) refuse(text, "a plain number without a unit");
  return number;
}

long long parse_count(std::string_view text) {
  long long count = 0;
  const char* end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, count);
  if (error == std::errc::result_out_of_range && next == end) {
    refuse(text,
           "a whole number of at most " + std::to_string(std::numeric_limits<long long>::max()));
  }
  if (error != std::errc{} || next != end || count < 0)
    refuse(text, "a whole number of at least 0");
  return count;
}

std::string to_text(Seconds time) {
  static constexpr std::array kUnits{Unit{"ns", 1, 1e9}, Unit{"us", 1, 1e6}, Unit{"ms", 1, 1e3},
                                     Unit{"s", 1}};
  return time.value() == 0.0 ? "0 s" : with_unit(time.value(), kUnits);
}

std::string to_text(Bytes size) {
  static constexpr std::array kUnits{Unit{"B", 1}, Unit{"kB", 1e3}, Unit{"MB", 1e6},
                                     Unit{"GB", 1e9}, Unit{"TB", 1e12}};
  return with_unit(size.value(), kUnits);
}

std::string to_text(BytesPerSecond rate) {
  static constexpr std::array kUnits{Unit{"B/s", 1}, Unit{"kB/s", 1e3}, Unit{"MB/s", 1e6},
                                     Unit{"GB/s", 1e9}, Unit{"TB/s", 1e12}};
  return with_unit(rate.value(), kUnits);
}

}  // namespace splitbench

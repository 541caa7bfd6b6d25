// Options that carry quantities, and the option that chooses the output format.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/quantity.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace splitbench::cli {

// An option whose text is given to `take`. What that throws (InvalidInput) is a usage error that
// names the option.
CLI::Option* add_taken(CLI::App& app, const std::string& flag, const char* type,
                       const std::string& help, std::function<void(const std::string&)> take);

// An option whose value is what `parse` makes of the text.
template <class T, class Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& flag, T& target, const char* type,
                        const std::string& help, Parse parse) {
  return add_taken(app, flag, type, help,
                   [&target, parse](const std::string& text) { target = parse(text); });
}

// Each is parsed by model/quantity_text.h: a bad value is quoted, with what would be right.
CLI::Option* add_quantity(CLI::App& app, const std::string& flag, Seconds& target,
                          const std::string& help);
// --deadline: at least 100 ms.
CLI::Option* add_deadline(CLI::App& app, Seconds& target, const std::string& help);
CLI::Option* add_quantity(CLI::App& app, const std::string& flag, Bytes& target,
                          const std::string& help);
CLI::Option* add_quantity(CLI::App& app, const std::string& flag, BytesPerSecond& target,
                          const std::string& help);
CLI::Option* add_number(CLI::App& app, const std::string& flag, double& target,
                        const std::string& help);
// A number above 0 and below 1.
CLI::Option* add_share(CLI::App& app, const std::string& flag, double& target,
                       const std::string& help);
// A whole number in [least, 2^31).
CLI::Option* add_count(CLI::App& app, const std::string& flag, std::int64_t least,
                       std::int64_t& target, const std::string& help);
CLI::Option* add_count(CLI::App& app, const std::string& flag, int least, int& target,
                       const std::string& help);

enum class Format { table, json };

// --format table|json
CLI::Option* add_format(CLI::App& app, Format& format);

// --devices 0,1: positions as a backend lists them.
CLI::Option* add_devices(CLI::App& app, std::vector<int>& devices);

// "a,,b" -> "a", "", "b".
std::vector<std::string> comma_separated(const std::string& text);

}  // namespace splitbench::cli

// Options that carry quantities, and the option that chooses the output format.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/invalid_input.h"
#include "model/quantity.h"

namespace splitbench::cli {

// An option whose value is what `parse` makes of the text. What that throws (InvalidInput) is a
// usage error that names the option.
template <class T, class Parse>
CLI::Option* add_parsed(CLI::App& app, const std::string& flag, T& target, const char* type,
                        const std::string& help, Parse parse) {
  auto store = [flag, &target, parse](const std::string& text) {
    try {
      target = parse(text);
    } catch (const InvalidInput& error) {
      throw CLI::ValidationError(flag, error.what());
    }
  };
  return app.add_option_function<std::string>(flag, std::move(store), help)->type_name(type);
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

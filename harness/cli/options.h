// Options that carry quantities, and the option that chooses the output format.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "model/quantity.h"

namespace splitbench::cli {

// Each adds an option whose value is parsed by model/quantity_text.h; a bad value is a usage error
// that names the option, quotes what was given and says what would be right.
CLI::Option* add_quantity(CLI::App& app, const std::string& flag, Seconds& target,
                          const std::string& help);
CLI::Option* add_quantity(CLI::App& app, const std::string& flag, Bytes& target,
                          const std::string& help);
CLI::Option* add_quantity(CLI::App& app, const std::string& flag, BytesPerSecond& target,
                          const std::string& help);
CLI::Option* add_number(CLI::App& app, const std::string& flag, double& target,
                        const std::string& help);
// A whole number in [least, 2^31).
CLI::Option* add_count(CLI::App& app, const std::string& flag, std::int64_t least,
                       std::int64_t& target, const std::string& help);
CLI::Option* add_count(CLI::App& app, const std::string& flag, int least, int& target,
                       const std::string& help);

enum class Format { table, json };

// --format table|json
CLI::Option* add_format(CLI::App& app, Format& format);

}  // namespace splitbench::cli

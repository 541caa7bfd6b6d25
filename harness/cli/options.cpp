#include "harness/cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>

#include "model/invalid_input.h"
#include "model/quantity_text.h"

namespace splitbench::cli {
namespace {

template <class Count>
CLI::Option* add_whole_number(CLI::App& app, const std::string& flag, Count least, Count& target,
                              const std::string& help) {
  return add_parsed(app, flag, target, "COUNT", help, [least](const std::string& text) {
    const long long count = parse_count(text);
    if (count < least || count > std::numeric_limits<int>::max()) {
      throw InvalidInput("", fmt::format("{} is out of range; expected {} to {}", count, least,
                                         std::numeric_limits<int>::max()));
    }
    return static_cast<Count>(count);
  });
}

}  // namespace

CLI::Option* add_taken(CLI::App& app, const std::string& flag, const char* type,
                       const std::string& help, std::function<void(const std::string&)> take) {
  auto checked = [flag, take = std::move(take)](const std::string& text) {
    try {
      take(text);
    } catch (const InvalidInput& error) {
      throw CLI::ValidationError(flag, error.what());
    }
  };
  return app.add_option_function<std::string>(flag, std::move(checked), help)->type_name(type);
}

CLI::Option* add_quantity(CLI::App& app, const std::string& flag, Seconds& target,
                          const std::string& help) {
  return add_parsed(app, flag, target, "TIME", help, parse_seconds);
}

CLI::Option* add_quantity(CLI::App& app, const std::string& flag, Bytes& target,
                          const std::string& help) {
  return add_parsed(app, flag, target, "SIZE", help, parse_bytes);
}

CLI::Option* add_quantity(CLI::App& app, const std::string& flag, BytesPerSecond& target,
                          const std::string& help) {
  return add_parsed(app, flag, target, "RATE", help, parse_bytes_per_second);
}

CLI::Option* add_deadline(CLI::App& app, Seconds& target, const std::string& help) {
  return add_parsed(app, "--deadline", target, "TIME", help, [](const std::string& text) {
    const Seconds time = parse_seconds(text);
    if (time < Seconds(0.1)) throw InvalidInput("", "expected at least 100ms");
    return time;
  });
}

CLI::Option* add_number(CLI::App& app, const std::string& flag, double& target,
                        const std::string& help) {
  return add_parsed(app, flag, target, "NUMBER", help, parse_number);
}

CLI::Option* add_share(CLI::App& app, const std::string& flag, double& target,
                       const std::string& help) {
  return add_parsed(app, flag, target, "SHARE", help, [](const std::string& text) {
    const double share = parse_number(text);
    if (!(share > 0.0 && share < 1.0)) {
      throw InvalidInput("", "'" + text + "' is out of range; expected above 0, below 1");
    }
    return share;
  });
}

CLI::Option* add_count(CLI::App& app, const std::string& flag, std::int64_t least,
                       std::int64_t& target, const std::string& help) {
  return add_whole_number(app, flag, least, target, help);
}

CLI::Option* add_count(CLI::App& app, const std::string& flag, int least, int& target,
                       const std::string& help) {
  return add_whole_number(app, flag, least, target, help);
}

CLI::Option* add_format(CLI::App& app, Format& format) {
  return add_parsed(app, "--format", format, "table|json",
                    "table for people, json for programs (one document, nothing else)",
                    [](const std::string& text) {
                      if (text == "table") return Format::table;
                      if (text == "json") return Format::json;
                      throw InvalidInput("", "'" + text + "' is unknown; expected table or json");
                    });
}

CLI::Option* add_devices(CLI::App& app, std::vector<int>& devices) {
  return add_parsed(app, "--devices", devices, "LIST", "Which ones: 0,1",
                    [](const std::string& text) {
                      std::vector<int> numbers;
                      for (const std::string& part : comma_separated(text)) {
                        const long long number = parse_count(part);
                        if (number < 0 || number > std::numeric_limits<int>::max()) {
                          throw InvalidInput("", "'" + part + "' is no device's number");
                        }
                        numbers.push_back(static_cast<int>(number));
                      }
                      return numbers;
                    });
}

std::vector<std::string> comma_separated(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace splitbench::cli

#include "tests/standin/scenario.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>
#include <string_view>

#include "protocols/document.h"
#include "tests/standin/kernel.h"

namespace splitbench::standin {
namespace {

using Json = nlohmann::json;

// The clock counts picoseconds in 63 bits, 9.2e6 s: no single time takes a run there.
constexpr double kLongestSeconds = 1000;
constexpr double kHighestRate = 1e18;
constexpr double kMostNoise = 3;
constexpr double kLeastEfficiency = 1e-3;
constexpr double kMostEfficiency = 1e3;
constexpr double kLargestNumber = 1e15;  // of a fault
constexpr double kLargestFactor = 1e3;
constexpr double kLeastFactor = 1e-3;
constexpr double kLastMode = 6;  // of corruption.h
constexpr double kLargestCode = 1e6;

// A value and where it stands.
struct Field {
  const Json& value;
  std::string pointer;

  [[noreturn]] void expected(const std::string& what) const {
    throw std::runtime_error(pointer + ": " + what);
  }

  double number(double least, double most) const {
    if (!value.is_number()) expected("a number expected");
    const auto number = value.get<double>();
    if (!(number >= least && number <= most)) {
      char range[64];
      std::snprintf(range, sizeof range, "a number from %g to %g expected", least, most);
      expected(range);
    }
    return number;
  }
  double seconds() const { return number(0, kLongestSeconds); }
  double per_second() const { return number(1, kHighestRate); }
  std::uint64_t count(std::uint64_t most) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) {
      expected("a whole number from 0 to " + std::to_string(most) + " expected");
    }
    return value.get<std::uint64_t>();
  }
  std::string text() const {
    if (!value.is_string()) expected("a string expected");
    return value.get<std::string>();
  }
  Field operator[](const std::string& key) const { return {value.at(key), pointer + "/" + key}; }
};

ClockKind read_clock(const Field& field) {
  const std::string text = field.text();
  if (text == "virtual") return ClockKind::virtual_time;
  if (text == "real") return ClockKind::real_time;
  field.expected("\"virtual\" or \"real\" expected");
}

std::string read_fault_name(const Field& field) {
  std::string name = field.text();
  if (!is_known_fault(name)) field.expected("no stand-in knows the fault \"" + name + "\"");
  return name;
}

// An error's code is none of success; what makes something longer keeps the clock in its range.
double read_fault_number(const Field& entry, const std::string& fault, const std::string& key) {
  const std::vector<std::string_view> known = numbers_of_fault(fault);
  if (std::find(known.begin(), known.end(), key) == known.end()) {
    entry.expected("the fault \"" + fault + "\" has no such key");
  }
  if (key == "code") return entry.number(1, kLargestCode);
  if (key == "factor") return entry.number(kLeastFactor, kLargestFactor);
  if (key == "mode") return static_cast<double>(entry.count(static_cast<std::uint64_t>(kLastMode)));
  if (key == "to") return static_cast<double>(entry.count(kMostDevices - 1));
  return entry.number(0, kLargestNumber);
}

Fault read_fault(const Field& field) {
  Fault fault;
  if (field.value.is_string()) {
    fault.name = read_fault_name(field);
    return fault;
  }
  if (!field.value.is_object() || !field.value.contains("fault")) {
    field.expected("the name of a fault, or an object with the key \"fault\", expected");
  }
  fault.name = read_fault_name(field["fault"]);
  constexpr auto kMostOccasions = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  for (const auto& [key, value] : field.value.items()) {
    const Field entry = field[key];
    if (key == "fault") continue;
    if (key == "rank") {
      fault.rank = static_cast<int>(entry.count(kMostDevices - 1));
    } else if (key == "after") {
      fault.after = static_cast<int>(entry.count(kMostOccasions));
    } else {
      fault.numbers[key] = read_fault_number(entry, fault.name, key);
    }
  }
  return fault;
}

// Whether a kernel, a product or a collective can have this name.
bool is_work(const std::string& name) {
  static const std::regex pattern(
      "all_reduce [0-9]+ bytes|matmul [0-9]+x[0-9]+x[0-9]+ (fp16|bf16|tf32|fp32|fp64)( relu)?");
  return is_kernel(name) || std::regex_match(name, pattern);
}

std::map<std::string, double> read_table(const Field& field) {
  if (!field.value.is_object()) field.expected("an object of seconds by name expected");
  std::map<std::string, double> table;
  for (const auto& [key, value] : field.value.items()) {
    if (!is_work(key)) field[key].expected("no work has this name");
    table[key] = field[key].seconds();
  }
  return table;
}

std::vector<std::vector<int>> read_islands(const Field& field) {
  if (!field.value.is_array()) field.expected("a list of lists of devices expected");
  std::vector<std::vector<int>> islands;
  for (std::size_t i = 0; i < field.value.size(); ++i) {
    const Field island{field.value[i], field.pointer + "/" + std::to_string(i)};
    if (!island.value.is_array()) island.expected("a list of devices expected");
    islands.emplace_back();
    for (std::size_t j = 0; j < island.value.size(); ++j) {
      const Field device{island.value[j], island.pointer + "/" + std::to_string(j)};
      islands.back().push_back(static_cast<int>(device.count(kMostDevices - 1)));
    }
  }
  return islands;
}

using Read = std::function<void(Scenario&, const Field&)>;

Read seconds(double Scenario::*member) {
  return [member](Scenario& to, const Field& field) { to.*member = field.seconds(); };
}
Read per_second(double Scenario::*member) {
  return [member](Scenario& to, const Field& field) { to.*member = field.per_second(); };
}

const std::map<std::string, Read>& readers() {
  static const auto& readers = *new std::map<std::string, Read>{
      {"devices",
       [](Scenario& to, const Field& field) {
         to.devices = static_cast<int>(field.count(kMostDevices));
       }},
      {"clock", [](Scenario& to, const Field& field) { to.clock = read_clock(field); }},
      {"launch_s", seconds(&Scenario::launch_s)},
      {"latency_s", seconds(&Scenario::latency_s)},
      {"bandwidth_bytes_per_s", per_second(&Scenario::bandwidth_bytes_per_s)},
      {"copy_latency_s", seconds(&Scenario::copy_latency_s)},
      {"islands", [](Scenario& to, const Field& field) { to.islands = read_islands(field); }},
      {"between_islands_bytes_per_s", per_second(&Scenario::between_islands_bytes_per_s)},
      {"flops", per_second(&Scenario::flops)},
      {"memory_bytes_per_s", per_second(&Scenario::memory_bytes_per_s)},
      {"serial_s", [](Scenario& to, const Field& field) { to.serial_s = field.seconds(); }},
      {"shard_efficiency",
       [](Scenario& to, const Field& field) {
         to.shard_efficiency = field.number(kLeastEfficiency, kMostEfficiency);
       }},
      {"composition_s", seconds(&Scenario::composition_s)},
      {"skew_s", seconds(&Scenario::skew_s)},
      {"memory_bytes",
       [](Scenario& to, const Field& field) {
         to.memory_bytes = field.count(std::uint64_t{1} << 46);
         if (to.memory_bytes == 0) field.expected("at least one byte expected");
       }},
      {"noise", [](Scenario& to, const Field& field) { to.noise = field.number(0, kMostNoise); }},
      {"seed",
       [](Scenario& to, const Field& field) {
         to.seed = field.count(std::numeric_limits<std::uint64_t>::max());
       }},
      {"table_s", [](Scenario& to, const Field& field) { to.table_s = read_table(field); }},
      {"faults",
       [](Scenario& to, const Field& field) {
         if (!field.value.is_array()) field.expected("a list of faults expected");
         for (std::size_t i = 0; i < field.value.size(); ++i) {
           to.faults.push_back(
               read_fault({field.value[i], field.pointer + "/" + std::to_string(i)}));
         }
       }},
  };
  return readers;
}

std::string known_keys() {
  std::string keys;
  for (const auto& [key, read] : readers()) keys += (keys.empty() ? "" : ", ") + key;
  return keys;
}

std::string contents(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw std::runtime_error("is a directory");
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error("cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Whether the device is one of the scenario's; `pointer` is where it is named.
void check_device(const Scenario& scenario, int device, const char* what,
                  const std::string& pointer) {
  if (device < scenario.devices) return;
  throw std::runtime_error(pointer + ": a " + what + " below the " +
                           std::to_string(scenario.devices) + " devices expected");
}

void check_faults(const Scenario& scenario) {
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    const Fault& fault = scenario.faults[i];
    const std::string pointer = "/faults/" + std::to_string(i);
    check_device(scenario, fault.rank.value_or(-1), "rank", pointer + "/rank");
    const int to = static_cast<int>(fault.number("to", -1));
    check_device(scenario, to, "receiver", pointer + "/to");
    if (fault.rank && to == *fault.rank) {
      throw std::runtime_error(pointer + "/to: another device than the rank expected");
    }
  }
}

void check_islands(const Scenario& scenario) {
  std::set<int> known;
  for (std::size_t i = 0; i < scenario.islands.size(); ++i) {
    for (std::size_t j = 0; j < scenario.islands[i].size(); ++j) {
      const int device = scenario.islands[i][j];
      const std::string pointer = "/islands/" + std::to_string(i) + "/" + std::to_string(j);
      check_device(scenario, device, "device", pointer);
      if (known.insert(device).second) continue;
      throw std::runtime_error(pointer + ": a device of no island before expected");
    }
  }
}

}  // namespace

Scenario read_scenario(const std::string& path) {
  try {
    const Document text(contents(path), path);
    const Json& document = text.value();
    const Field root{document, ""};
    if (!document.is_object()) root.expected("an object expected");
    Scenario scenario;
    for (const auto& [key, value] : document.items()) {
      const auto reader = readers().find(key);
      if (reader == readers().end()) {
        throw std::runtime_error("/" + key + ": unknown key; known are " + known_keys());
      }
      reader->second(scenario, root[key]);
    }
    check_faults(scenario);
    check_islands(scenario);
    return scenario;
  } catch (const BadDocument&) {
    throw;  // it names the file
  } catch (const std::exception& error) {
    throw std::runtime_error(path + ": " + error.what());
  }
}

const Scenario& scenario() {
  static const Scenario& scenario = *[] {
    const char* path = std::getenv("SPLITBENCH_STANDIN");
    try {
      return path == nullptr ? new Scenario : new Scenario(read_scenario(path));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "stand-in scenario: %s\n", error.what());
      std::_Exit(2);
    }
  }();
  return scenario;
}

}  // namespace splitbench::standin

#include "tests/standin/scenario.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace splitbench::standin {
namespace {

using Json = nlohmann::json;

// A value and where it stands.
struct Field {
  const Json& value;
  std::string pointer;

  [[noreturn]] void expected(const std::string& what) const {
    throw std::runtime_error(pointer + ": " + what);
  }

  double number(double least) const {
    if (!value.is_number()) expected("a number expected");
    const auto number = value.get<double>();
    if (!(number >= least)) expected("a number of at least " + Json(least).dump() + " expected");
    return number;
  }
  double positive() const {
    const double result = number(0);
    if (result == 0) expected("a number above 0 expected");
    return result;
  }
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

Fault read_fault(const Field& field) {
  Fault fault;
  if (field.value.is_string()) {
    fault.name = read_fault_name(field);
    return fault;
  }
  if (!field.value.is_object() || !field.value.contains("fault")) {
    field.expected("the name of a fault, or an object with the key \"fault\", expected");
  }
  constexpr auto kMostOccasions = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  for (const auto& [key, value] : field.value.items()) {
    const Field entry = field[key];
    if (key == "fault") {
      fault.name = read_fault_name(entry);
    } else if (key == "rank") {
      fault.rank = static_cast<int>(entry.count(kMostDevices - 1));
    } else if (key == "after") {
      fault.after = static_cast<int>(entry.count(kMostOccasions));
    } else {
      fault.numbers[key] = entry.number(0);
    }
  }
  return fault;
}

std::map<std::string, double> read_table(const Field& field) {
  if (!field.value.is_object()) field.expected("an object of seconds by name expected");
  std::map<std::string, double> table;
  for (const auto& [key, value] : field.value.items()) table[key] = field[key].number(0);
  return table;
}

using Read = std::function<void(Scenario&, const Field&)>;

Read at_least_0(double Scenario::*member) {
  return [member](Scenario& to, const Field& field) { to.*member = field.number(0); };
}
Read above_0(double Scenario::*member) {
  return [member](Scenario& to, const Field& field) { to.*member = field.positive(); };
}

const std::map<std::string, Read>& readers() {
  static const auto& readers = *new std::map<std::string, Read>{
      {"devices",
       [](Scenario& to, const Field& field) {
         to.devices = static_cast<int>(field.count(kMostDevices));
       }},
      {"clock", [](Scenario& to, const Field& field) { to.clock = read_clock(field); }},
      {"launch_s", at_least_0(&Scenario::launch_s)},
      {"latency_s", at_least_0(&Scenario::latency_s)},
      {"bandwidth_bytes_per_s", above_0(&Scenario::bandwidth_bytes_per_s)},
      {"flops", above_0(&Scenario::flops)},
      {"memory_bytes_per_s", above_0(&Scenario::memory_bytes_per_s)},
      {"serial_s", [](Scenario& to, const Field& field) { to.serial_s = field.number(0); }},
      {"shard_efficiency", above_0(&Scenario::shard_efficiency)},
      {"composition_s", at_least_0(&Scenario::composition_s)},
      {"skew_s", at_least_0(&Scenario::skew_s)},
      {"memory_bytes",
       [](Scenario& to, const Field& field) {
         to.memory_bytes = field.count(std::uint64_t{1} << 46);
       }},
      {"noise", at_least_0(&Scenario::noise)},
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

}  // namespace

Scenario read_scenario(const std::string& path) {
  try {
    std::ifstream stream(path);
    if (!stream) throw std::runtime_error("cannot be read");
    const Json document = Json::parse(stream);
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
    return scenario;
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

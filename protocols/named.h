// Enumerations with the names they have in documents and on the command line.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace splitbench {

template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
  std::string_view description;  // one line, for people
};

template <class Enum>
std::string_view name_in(std::span<const Named<Enum>> table, Enum value) {
  for (const Named<Enum>& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return "unknown";
}

template <class Enum>
std::optional<Enum> find_in(std::span<const Named<Enum>> table, std::string_view name) {
  for (const Named<Enum>& entry : table) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

template <class Enum>
std::vector<std::string_view> names_in(std::span<const Named<Enum>> table) {
  std::vector<std::string_view> names;
  for (const Named<Enum>& entry : table) names.push_back(entry.name);
  return names;
}

}  // namespace splitbench

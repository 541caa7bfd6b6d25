// The backends of the product, whether or not this program came with them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace splitbench {

struct BackendEntry {
  std::string_view name;  // as --backend takes it
  std::string_view description;
  std::vector<std::string_view> modules;  // the first that can be used is
  std::string_view built_with;            // what must be there to build one
};

// In the order in which they are listed.
std::span<const BackendEntry> known_backends();

// Throws InvalidInput("backend") for a name that is not among them; `auto` is not.
const BackendEntry& known_backend(std::string_view name);

}  // namespace splitbench

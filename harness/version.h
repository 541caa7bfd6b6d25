// What this program was built from. The strings live for the whole run.
#pragma once

#include <string_view>

namespace splitbench {

std::string_view version();  // "0.1.0"
std::string_view commit();   // "a1b2c3d4e5f6" or "...-dirty"; empty when built without .git

// Version, commit and compiler: what must be equal where a program loads a module.
const char* build();

}  // namespace splitbench

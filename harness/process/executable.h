// Where this program lies, and how it starts itself again.
#pragma once

#include <filesystem>

namespace splitbench {

inline constexpr const char* kThisProgram = "/proc/self/exe";

// The directory of the executable, links resolved; empty where /proc is not there.
std::filesystem::path executable_directory();

}  // namespace splitbench

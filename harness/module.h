// Backends as files of their own: libsplitbench_NAME.so, loaded when asked for and never unloaded.
// So the program links no vendor's library, and one that is missing is a sentence.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "harness/backend.h"

namespace splitbench {

// Where the modules of a program lie: beside it (a build tree), or in ../lib/splitbench of an
// installed tree.
std::vector<std::filesystem::path> module_directories(
    const std::filesystem::path& executable_directory);

// The module's file in the first of the directories that has it; empty where none has.
std::filesystem::path find_module(std::string_view name,
                                  const std::vector<std::filesystem::path>& directories);

// Loads a module; the backend lives as long as the process. Throws CannotRunHere: what of it could
// not be loaded, and what mends that.
const Backend& load_module(const std::filesystem::path& file);

}  // namespace splitbench

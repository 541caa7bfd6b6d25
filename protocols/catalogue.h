// The protocols and presets that come with the program, and how one is found by its name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/protocol.h"

namespace splitbench {

// Where shipped protocols may lie, the first that has one counts: <executable's
// directory>/../share/splitbench/protocols (an installed tree), then the source tree this was built
// from. Folders that do not exist are left out.
std::vector<std::filesystem::path> protocol_directories(
    const std::filesystem::path& executable_directory);

// Names of the protocols in the directories, sorted, each once: the files' names without .json.
std::vector<std::string> protocol_names(const std::vector<std::filesystem::path>& directories);

// Likewise of the presets, protocols of known models' layers: the files in their folder `presets`.
std::vector<std::string> preset_names(const std::vector<std::filesystem::path>& directories);

// A text with a '/' or ending in ".json" is a path and is returned as it is; any other is looked up
// in the directories, then among their presets. Throws InvalidInput for a name that is not there;
// the message lists the protocols that are.
std::filesystem::path find_protocol(std::string_view name_or_path,
                                    const std::vector<std::filesystem::path>& directories);

// Reads and loads a file. Throws BadDocument, without a line where the file cannot be read.
Protocol load_protocol_file(const std::filesystem::path& path);

}  // namespace splitbench

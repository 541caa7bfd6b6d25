// A file that a user names as input. In one place, because what must not be opened is the same
// everywhere: what waits for a writer, or never ends.
#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>

namespace splitbench {

// Its bytes, no more than `most`: who has a limit asks for one more than that. Throws BadDocument,
// without a position, where it is neither a regular file nor a pipe that is open already
// ("/dev/fd/63"), or cannot be read.
std::string read_input_file(const std::filesystem::path& path,
                            std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace splitbench

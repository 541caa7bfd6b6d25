// A run carried out once more, as it was commanded.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/result_view.h"

namespace splitbench::cli {

// The arguments of a `run` command line (the program's name first) without its --out, --store and
// --format, and with another store and JSON on standard output. Throws InvalidInput for a command
// that is none.
std::vector<std::string> rerun_arguments(const std::vector<std::string>& command,
                                         const std::filesystem::path& store);

// Waits for its end. Relative paths of the command are those of this directory. Throws HarnessError
// where it cannot be started or gives no result.
ResultView rerun(const std::vector<std::string>& command, const std::filesystem::path& store);

}  // namespace splitbench::cli

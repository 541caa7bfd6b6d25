// A result by the name it is given on a command line: a file, or a run in the store.
#pragma once

#include <filesystem>
#include <string>

#include "results/result_view.h"

namespace splitbench::cli {

// All of a file. Throws InvalidInput, naming it, where it cannot be read.
std::string file_text(const std::filesystem::path& file);

// A name is that of a file where it has a '/' or ends in .json, like that of a protocol.
bool names_file(const std::string& name);

// --store, or the default one where that is empty.
std::filesystem::path store_file(const std::filesystem::path& option);

// Throws InvalidInput for a file that cannot be read or is no result, and for a run that was not
// finished; StoreError.
ResultView named_result(const std::string& name, const std::filesystem::path& store);

}  // namespace splitbench::cli

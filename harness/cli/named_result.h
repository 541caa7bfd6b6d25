// A result by the name it is given on a command line: a file, or a run in the store.
#pragma once

#include <filesystem>
#include <string>

#include "results/result_view.h"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace splitbench::cli {

// Of options that a variable nobody set may have emptied: "" is not the same as none at all.
CLI::Validator named(const std::string& what);
// Of texts that are kept.
CLI::Validator utf8();

// --store FILE
CLI::Option* add_store_file(CLI::App& app, std::filesystem::path& store);

// All of a regular file. Throws InvalidInput, naming it and why, where it cannot be read.
std::string file_text(const std::filesystem::path& file);

// A name is that of a file where it has a '/' or ends in .json, like that of a protocol.
bool names_file(const std::string& name);

// --store, or the default one where that is empty.
std::filesystem::path store_file(const std::filesystem::path& option);

// Throws InvalidInput for a file that cannot be read or is no result, and for a run that was not
// finished; StoreError.
ResultView named_result(const std::string& name, const std::filesystem::path& store);

}  // namespace splitbench::cli

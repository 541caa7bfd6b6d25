// A result by the name it is given on a command line: a file, or a run in the store.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/invalid_input.h"
#include "protocols/document.h"
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

// A name is that of a file where it has a '/' or ends in .json, like that of a protocol.
bool names_file(const std::string& name);

// --store, or the default one where that is empty.
std::filesystem::path store_file(const std::filesystem::path& option);

// Throws BadDocument for a file that cannot be read, InvalidInput for what is no result and for a
// run that was not finished; StoreError.
ResultView named_result(const std::string& name, const std::filesystem::path& store);

// As it was written, a result or another document of one of these schemas. Throws likewise, and
// BadDocument for what is no JSON or of another schema.
nlohmann::ordered_json named_document(const std::string& name, const std::filesystem::path& store,
                                      const std::vector<std::string_view>& schemas);

// What `use` makes of named documents; a key that is missing or of another type, or a value that
// cannot be used, is then the fault of what was named: BadDocument.
template <class Use>
auto using_document(const std::string& name, Use use) {
  try {
    return use();
  } catch (const InvalidInput& error) {
    throw BadDocument(name, "", {}, error.what());
  } catch (const nlohmann::json::exception& error) {
    throw BadDocument(name, "", {}, std::string("it is not whole: ") + error.what());
  }
}

}  // namespace splitbench::cli

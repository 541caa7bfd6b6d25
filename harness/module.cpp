#include "harness/module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "harness/module_entry.h"
#include "harness/version.h"

namespace splitbench {
namespace {

constexpr const char* kBuildAgain = "build or install splitbench again, with its modules";

// dlopen names the library that is missing, and says that it is missing, in these words.
constexpr const char* kMissingLibrary = "cannot open shared object file";

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& reason,
                       const std::string& mend) {
  throw CannotRunHere(fmt::format("{}: {}", file.filename().string(), reason), mend);
}

void* open_library(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) fail(file, "is not there", kBuildAgain);
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const std::string reason = dlerror();
  const bool missing = reason.find(kMissingLibrary) != std::string::npos;
  fail(file, "cannot be loaded: " + reason,
       missing ? "install that library, or name its folder in LD_LIBRARY_PATH" : kBuildAgain);
}

}  // namespace

std::vector<std::filesystem::path> module_directories(
    const std::filesystem::path& executable_directory) {
  return {executable_directory, executable_directory / ".." / "lib" / "splitbench"};
}

std::filesystem::path find_module(std::string_view name,
                                  const std::vector<std::filesystem::path>& directories) {
  const std::string file_name = fmt::format("libsplitbench_{}.so", name);
  for (const auto& directory : directories) {
    std::error_code ignored;
    if (std::filesystem::exists(directory / file_name, ignored)) return directory / file_name;
  }
  return {};
}

const Backend& load_module(const std::filesystem::path& file) {
  void* library = open_library(file);
  const auto entry_of =
      reinterpret_cast<decltype(&splitbench_module)>(dlsym(library, "splitbench_module"));
  if (entry_of == nullptr) fail(file, "is no module of splitbench", kBuildAgain);
  const ModuleEntry* entry = entry_of();
  if (std::strcmp(entry->build, build()) != 0) {
    fail(file, fmt::format("was built as '{}', this program as '{}'", entry->build, build()),
         kBuildAgain);
  }
  return *entry->backend();
}

}  // namespace splitbench

#include "harness/module.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "harness/module_entry.h"
#include "harness/version.h"

namespace splitbench {
namespace {

constexpr const char* kPrefix = "libsplitbench_";
constexpr const char* kBuildAgain = "build or install splitbench again, with its modules";

// dlopen names the library that is missing, and says that it is missing, in these words.
constexpr const char* kMissingLibrary = "cannot open shared object file";

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& reason,
                       const std::string& mend) {
  throw CannotRunHere(fmt::format("{}: {}", file.filename().string(), reason), mend);
}

// The library that dlopen could not load: the file before the first colon of what it says.
std::string culprit(const std::string& reason) {
  return reason.substr(0, reason.find(": "));
}

std::string mend(const std::filesystem::path& file, const std::string& reason) {
  if (reason.find(kMissingLibrary) != std::string::npos) {
    return "install that library, or name its folder in LD_LIBRARY_PATH";
  }
  const std::string library = culprit(reason);
  if (!library.starts_with('/') || std::filesystem::path(library) == file) return kBuildAgain;
  return fmt::format(
      "{} is broken or of another version: reinstall it, or take its folder out of "
      "LD_LIBRARY_PATH",
      library);
}

// "cuda" of libsplitbench_cuda13.so.
std::string backend_of(const std::filesystem::path& file) {
  std::string name = file.stem().string();
  name.erase(0, std::string_view(kPrefix).size());
  name.erase(name.find_last_not_of("0123456789") + 1);
  return name;
}

void* open_library(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) fail(file, "is not there", kBuildAgain);
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const std::string reason = dlerror();
  fail(file, "cannot be loaded: " + reason, mend(file, reason));
}

}  // namespace

std::vector<std::filesystem::path> module_directories(
    const std::filesystem::path& executable_directory) {
  return {executable_directory, executable_directory / ".." / "lib" / "splitbench"};
}

std::filesystem::path find_module(std::string_view name,
                                  const std::vector<std::filesystem::path>& directories) {
  const std::string file_name = fmt::format("{}{}.so", kPrefix, name);
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
  if (const std::string expected = backend_of(file); entry->name != expected) {
    fail(file, fmt::format("is no {} module: it is that of backend {}", expected, entry->name),
         kBuildAgain);
  }
  return *entry->backend();
}

}  // namespace splitbench

#include "protocols/catalogue.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "model/invalid_input.h"
#include "protocols/nearest.h"

namespace splitbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".json";

}  // namespace

std::vector<fs::path> protocol_directories(const fs::path& executable_directory) {
  std::vector<fs::path> directories{
      executable_directory / ".." / "share" / "splitbench" / "protocols",
      SPLITBENCH_PROTOCOL_SOURCE_DIR};
  std::erase_if(directories, [](const fs::path& directory) {
    std::error_code error;
    return !fs::is_directory(directory, error);
  });
  return directories;
}

std::vector<std::string> protocol_names(const std::vector<fs::path>& directories) {
  std::set<std::string> names;
  for (const fs::path& directory : directories) {
    for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
      const fs::path& path = entry.path();
      const bool schema = path.stem().extension() == ".schema";
      if (path.extension() == kSuffix && !schema) names.insert(path.stem().string());
    }
  }
  return {names.begin(), names.end()};
}

fs::path find_protocol(std::string_view name_or_path, const std::vector<fs::path>& directories) {
  if (name_or_path.find('/') != std::string_view::npos || name_or_path.ends_with(kSuffix)) {
    return name_or_path;
  }
  const std::string file_name = std::string(name_or_path) + std::string(kSuffix);
  for (const fs::path& directory : directories) {
    std::error_code error;
    if (fs::is_regular_file(directory / file_name, error)) return directory / file_name;
  }
  const std::vector<std::string> names = protocol_names(directories);
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string known;
  for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
  throw InvalidInput("", "unknown protocol '" + std::string(name_or_path) +
                             "'; the protocols here are: " + known +
                             " (or name a file: ./mine.json)" + suggestion(name_or_path, views));
}

Protocol load_protocol_file(const fs::path& path) {
  return load_protocol(read_document(path), path.string());
}

}  // namespace splitbench

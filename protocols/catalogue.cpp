#include "protocols/catalogue.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "model/invalid_input.h"
#include "protocols/nearest.h"

namespace splitbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".json";

std::vector<std::string> stems_in(const std::vector<fs::path>& directories) {
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

std::vector<fs::path> presets_of(const std::vector<fs::path>& directories) {
  std::vector<fs::path> presets;
  for (const fs::path& directory : directories) {
    std::error_code error;
    if (fs::is_directory(directory / "presets", error)) presets.push_back(directory / "presets");
  }
  return presets;
}

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
  return stems_in(directories);
}

std::vector<std::string> preset_names(const std::vector<fs::path>& directories) {
  return stems_in(presets_of(directories));
}

fs::path find_protocol(std::string_view name_or_path, const std::vector<fs::path>& directories) {
  if (name_or_path.find('/') != std::string_view::npos || name_or_path.ends_with(kSuffix)) {
    return name_or_path;
  }
  const std::string file_name = std::string(name_or_path) + std::string(kSuffix);
  const std::vector<fs::path> presets = presets_of(directories);
  std::vector<fs::path> folders = directories;
  folders.insert(folders.end(), presets.begin(), presets.end());
  for (const fs::path& folder : folders) {
    std::error_code error;
    if (fs::is_regular_file(folder / file_name, error)) return folder / file_name;
  }
  const std::vector<std::string> names = protocol_names(directories);
  const std::vector<std::string> all = stems_in(folders);
  const std::vector<std::string_view> views(all.begin(), all.end());
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

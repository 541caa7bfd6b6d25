#include "harness/cli/named_result.h"

#include <fstream>
#include <iterator>
#include <optional>

#include "model/invalid_input.h"
#include "results/store.h"
#include "results/store_path.h"

namespace splitbench::cli {

std::string file_text(const std::filesystem::path& file) {
  try {
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (stream) return text;
  } catch (const std::ios_base::failure&) {  // a directory can be opened, but not read
  }
  throw InvalidInput("", file.string() + ": cannot be read");
}

bool names_file(const std::string& name) {
  constexpr std::string_view kEnding = ".json";
  return name.find('/') != name.npos ||
         (name.size() >= kEnding.size() &&
          name.compare(name.size() - kEnding.size(), kEnding.size(), kEnding) == 0);
}

std::filesystem::path store_file(const std::filesystem::path& option) {
  return option.empty() ? default_store_path() : option;
}

ResultView named_result(const std::string& name, const std::filesystem::path& store) {
  if (names_file(name)) return result_view(file_text(name), name);
  const Store runs = Store::open(store_file(store), Store::Mode::reading);
  const std::optional<std::string> document = runs.load_document(name);
  if (!document) {
    throw InvalidInput(
        "", "run " + name + " in " + runs.file().string() + " was not finished: it has no result");
  }
  return result_view(*document, "run " + name);
}

}  // namespace splitbench::cli

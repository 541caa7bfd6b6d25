#include "harness/cli/named_result.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "model/invalid_input.h"
#include "results/store.h"
#include "results/store_path.h"

namespace splitbench::cli {

CLI::Validator named(const std::string& what) {
  return {[what](const std::string& text) { return text.empty() ? "expected " + what : ""; }, ""};
}

CLI::Validator utf8() {
  return {[](const std::string& text) -> std::string {
            try {
              static_cast<void>(nlohmann::json(text).dump());
              return "";
            } catch (const nlohmann::json::type_error&) {
              return "expected text in UTF-8";
            }
          },
          ""};
}

CLI::Option* add_store_file(CLI::App& app, std::filesystem::path& store) {
  return app.add_option("--store", store, "Where the runs are kept")
      ->type_name("FILE")
      ->check(named("the name of a file"));
}

std::string file_text(const std::filesystem::path& file) {
  const auto fail = [&file](const std::string& why) {
    throw InvalidInput("", file.string() + ": cannot be read: " + why);
  };
  // What waits for a writer, or never ends, is not opened.
  std::error_code error;
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error)) {
    fail("it is no regular file");
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail(std::generic_category().message(errno));
  return {std::istreambuf_iterator<char>(stream), {}};
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

#include "harness/cli/named_result.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <utility>

#include "model/invalid_input.h"
#include "protocols/document_value.h"
#include "protocols/input_file.h"
#include "results/store.h"
#include "results/store_path.h"

namespace splitbench::cli {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

struct NamedText {
  std::string text;
  std::string source;  // its name in messages
};

NamedText named_text(const std::string& name, const std::filesystem::path& store) {
  if (names_file(name)) return {read_input_file(name, kMostBytes + 1), name};
  const Store runs = Store::open(store_file(store), Store::Mode::reading);
  std::optional<std::string> document = runs.load_document(name);
  if (!document) {
    throw InvalidInput(
        "", "run " + name + " in " + runs.file().string() + " was not finished: it has no result");
  }
  return {std::move(*document), "run " + name};
}

}  // namespace

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
  const NamedText named = named_text(name, store);
  return result_view(named.text, named.source);
}

nlohmann::ordered_json named_document(const std::string& name, const std::filesystem::path& store,
                                      const std::vector<std::string_view>& schemas) {
  NamedText named = named_text(name, store);
  const Document document(std::move(named.text), named.source, kMostBytes);
  const DocumentValue root(document);
  const auto schema = root.member("schema");
  if (!schema) document.fail("", "expected an object with the key 'schema'");
  schema->one_of(schemas);
  return document.value();
}

}  // namespace splitbench::cli

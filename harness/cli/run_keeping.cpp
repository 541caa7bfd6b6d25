#include "harness/cli/run_keeping.h"

#include <fmt/format.h>

#include "harness/error.h"
#include "model/invalid_input.h"
#include "results/new_file.h"
#include "results/store_error.h"
#include "results/store_path.h"

namespace splitbench::cli {
namespace {

std::string text_of(const nlohmann::ordered_json& document) {
  return document.dump(2) + "\n";
}

// `kept`: the places beside --out.
void show(const RunOptions& options, const nlohmann::ordered_json& document, const Screen& screen,
          std::vector<std::string> kept) {
  if (options.format == Format::json) {
    fmt::print("{}", text_of(document));
    return;
  }
  if (!options.out.empty()) kept.push_back(fmt::format("document {}", options.out.string()));
  fmt::print("{}", screen(document, kept));
}

}  // namespace

void check_files(const RunOptions& options) {
  if (options.out.empty()) return;
  check_new_file(options.out);
  if (options.out == options.store) {
    throw InvalidInput("out", fmt::format("'{}' is the store, too", options.out.string()));
  }
}

Store open_store(const RunOptions& options) {
  if (!options.store.empty()) return Store::open(options.store, Store::Mode::create);
  try {
    return Store::open(default_store_path(), Store::Mode::create);
  } catch (const StoreError& error) {
    throw CannotRunHere(error.what(), "name another file with --store");
  }
}

void keep(const RunOptions& options, Store& store, const nlohmann::ordered_json& document) {
  const std::string text = text_of(document);
  store.finish_run(document["id"].get<std::string>(),
                   run_outcome(document["outcome"].get<std::string>()), text);
  if (!options.out.empty()) write_new_file(options.out, text);
}

void print(const RunOptions& options, const Store& store, const nlohmann::ordered_json& document,
           const Screen& screen) {
  show(options, document, screen,
       {fmt::format("run {} in {}", document["id"].get<std::string>(), store.file().string())});
}

void show_unstored(const RunOptions& options, const nlohmann::ordered_json& document,
                   const Screen& screen) {
  if (!options.out.empty()) write_new_file(options.out, text_of(document));
  show(options, document, screen, {});
}

}  // namespace splitbench::cli

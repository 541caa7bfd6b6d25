#include "harness/cli/run_keeping.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "harness/cli/say.h"
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

void show(const RunOptions& options, const nlohmann::ordered_json& document, const Screen& screen,
          const std::vector<std::string>& kept) {
  if (options.format == Format::json) {
    fmt::print("{}", text_of(document));
    return;
  }
  print_screen(screen(document, kept));
}

// To --out, if there is one.
void write_out(const RunOptions& options, const std::string& text,
               std::vector<std::string>& places) {
  if (options.out.empty()) return;
  write_new_file(options.out, text);
  places.push_back(fmt::format("document {}", options.out.string()));
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

Kept keep(const RunOptions& options, Store& store, const nlohmann::ordered_json& document) {
  const std::string text = text_of(document);
  const auto id = document["id"].get<std::string>();
  Kept kept;
  try {
    store.finish_run(id, run_outcome(document["outcome"].get<std::string>()), text);
    kept.places.push_back(fmt::format("run {} in {}", id, store.file().string()));
    write_out(options, text, kept.places);
  } catch (const std::exception& error) {
    kept.fault = fmt::format("the result document was not saved: {}", error.what());
  }
  return kept;
}

void print(const RunOptions& options, const Kept& kept, const nlohmann::ordered_json& document,
           const Screen& screen) {
  show(options, document, screen, kept.places);
  std::fflush(stdout);  // before the fault, and before a signal has its usual effect again
  if (!kept.fault.empty()) throw HarnessError(kept.fault);
}

void show_unstored(const RunOptions& options, const nlohmann::ordered_json& document,
                   const Screen& screen) {
  std::vector<std::string> places;
  write_out(options, text_of(document), places);
  show(options, document, screen, places);
}

}  // namespace splitbench::cli

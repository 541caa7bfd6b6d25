#include "harness/cli/topology_expect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "harness/cli/exit_code.h"
#include "harness/cli/named_result.h"
#include "harness/cli/say.h"
#include "harness/cli/screen_text.h"
#include "harness/supervisor/choice.h"
#include "protocols/catalogue.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

int exit_code_of(Finding finding) {
  if (finding == Finding::fail) return kRequirementFailed;
  return finding == Finding::unknown ? kNoVerdict : kDone;
}

std::string item_text(const Json& item) {
  const std::string head = fmt::format("{:<8} ", upper(item.at("finding").get<std::string>()));
  std::string text = wrapped(head, item.at("what").get<std::string>(), 9);
  const auto line = [&](const char* label, const Json& value) {
    text += wrapped(fmt::format("         {:<9} ", label), value.get<std::string>(), 19);
  };
  line("required", item.at("required"));
  line("found", item.at("actual"));
  if (item.at("ask").is_null()) return text;
  line("read from", item.at("how"));
  line("ask for", item["ask"]);
  return text;
}

const char* conclusion(const Json& overall) {
  if (overall == "pass") return "The node is as promised.";
  if (overall == "warn") return "The node is as promised, and something is not as usual.";
  if (overall == "fail") return "The node is NOT as promised.";
  return "Whether the node is as promised is NOT KNOWN: what is unknown is not passed.";
}

}  // namespace

void add_expect_options(CLI::App& app, ExpectOptions& options) {
  CLI::Option* expect =
      app.add_option("--expect", options.promise,
                     "A promise (JSON): hold the node against it; exit 1 where it is broken, 4 "
                     "where something is not known")
          ->type_name("FILE");
  app.add_option("--result", options.results,
                 "The result of a run on that node, for promised speedups: a file (with a '/' or "
                 "ending in .json), or the id of a stored run")
      ->type_name("RESULT")
      ->needs(expect);
  add_store_file(app, options.store);
  app.add_flag("--promise", options.make_promise, "Write such a promise, of a node that is good")
      ->excludes(expect);
}

bool is_asked(const ExpectOptions& options) {
  return !options.promise.empty() || options.make_promise;
}

PromiseCheck::PromiseCheck(ExpectOptions options) : options_(std::move(options)) {
  if (options_.promise.empty()) return;
  promise_ = load_promise(read_document(options_.promise), options_.promise);
  for (const std::string& file : options_.results) {
    results_.push_back(named_document(file, options_.store, {"splitbench.result/1"}));
  }
}

int PromiseCheck::judge(const KnownNode& known, Format format) const {
  const auto catalogue = load_gpu_catalogue(protocol_directories(executable_directory()));
  if (options_.make_promise) {
    fmt::print("{}\n", to_json(promise_of(known, catalogue)).dump(2));
    return kDone;
  }
  const std::string files = fmt::format("{}", fmt::join(options_.results, ", "));
  const std::vector<InspectedItem> items =
      using_document(files, [&] { return inspect(promise_, known, catalogue, results_); });
  const Json document = to_json(items, options_.promise, known);
  if (format == Format::json) {
    fmt::print("{}\n", document.dump(2));
  } else {
    print_screen(inspection_screen(document));
  }
  return exit_code_of(overall(items));
}

KnownNode known_node_of(const Json& topology) {
  return read_known_node({TextSource(topology.dump(), "this node")});
}

KnownNode known_node_of(const std::vector<std::string>& files) {
  std::vector<TextSource> sources;
  for (const std::string& file : files) sources.push_back(read_text_source(file));
  return read_known_node(sources);
}

std::string inspection_screen(const Json& inspection) {
  std::string text = wrapped("", conclusion(inspection.at("overall")), 0) + "\n";
  for (const Json& item : inspection.at("items")) text += item_text(item);
  return text;
}

}  // namespace splitbench::cli

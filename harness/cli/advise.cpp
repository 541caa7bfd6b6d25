#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "harness/cli/advice_screen.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/named_result.h"
#include "harness/cli/node_options.h"
#include "harness/cli/options.h"
#include "harness/cli/program.h"
#include "harness/cli/say.h"
#include "model/invalid_input.h"
#include "results/advice.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

struct AdviseOptions {
  Format format = Format::table;
  std::string result;
  std::filesystem::path store;
  NodeOptions node;
  int ranks = 2;
};

Json advice_of(const AdviseOptions& options) {
  if (options.result.empty()) {
    return advice_document(estimate_document(estimate_request(options.node, options.ranks)));
  }
  const Json document = named_document(options.result, options.store,
                                       {"splitbench.result/1", "splitbench.estimate/1"});
  return using_document(options.result, [&] { return advice_document(document); });
}

int advise(const AdviseOptions& options) {
  if (options.result.empty() && options.node.operation.empty()) {
    throw InvalidInput("",
                       "advise needs a result document, or a node and an operation\n"
                       "Example: splitbench advise --node topo.txt nccl.log --gpu 'H100 SXM' "
                       "--operation llama-3-8b");
  }
  const Json document = advice_of(options);
  if (options.format == Format::json) {
    fmt::print("{}\n", document.dump(2));
  } else {
    print_screen(advice_screen(document));
  }
  return kDone;
}

}  // namespace

void add_advise(CLI::App& program, Action& action) {
  CLI::App& app = *program.add_subcommand(
      "advise", "Split, replicate or leave alone, for a given operation and node");
  app.footer(
      "Example:\n"
      "  splitbench advise result.json           of a run, as --out wrote it\n"
      "  splitbench advise --node topo.txt nccl.log --gpu 'H100 SXM' --operation llama-3-8b");
  auto options = std::make_shared<AdviseOptions>();
  add_format(app, options->format);
  CLI::Option* result =
      app.add_option("RESULT", options->result,
                     "A result document or an estimate as JSON: a file (with a '/' or ending in "
                     ".json), or the id of a stored run");
  add_store_file(app, options->store);
  for (CLI::Option* option : add_node_options(app, options->node)) option->excludes(result);
  add_count(app, "--ranks", 2, options->ranks, "N, devices to split over (default 2)")
      ->excludes(result);
  app.callback([options, &action] { action = [options] { return advise(*options); }; });
}

}  // namespace splitbench::cli

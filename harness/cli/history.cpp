#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "harness/cli/exit_code.h"
#include "harness/cli/history_screen.h"
#include "harness/cli/named_result.h"
#include "harness/cli/newest_run.h"
#include "harness/cli/options.h"
#include "harness/cli/program.h"
#include "harness/cli/say.h"
#include "model/invalid_input.h"
#include "results/history.h"

namespace splitbench::cli {
namespace {

struct HistoryOptions {
  std::string protocol;
  std::string fingerprint;
  std::filesystem::path store;
  int last = 7;
  ChangePointRule rule;
  Format format = Format::table;
};

int history(const HistoryOptions& options) {
  const Store store = Store::open(store_file(options.store), Store::Mode::reading);
  RunFilter filter;
  filter.protocol = options.protocol;
  filter.fingerprint = options.fingerprint;
  const RunSummary run = newest_run(store, filter);
  const std::vector<SeriesRun> runs = read_series(store, run.fingerprint, run.protocol);
  if (runs.empty()) {
    throw InvalidInput("", fmt::format("{}: no run of protocol {} on machine {} is complete",
                                       store.file().string(), run.protocol, run.fingerprint));
  }
  const auto document = history_document(runs, options.rule);
  if (options.format == Format::json) {
    fmt::print("{}\n", document.dump(2));
  } else {
    print_screen(history_screen(document, static_cast<std::size_t>(options.last)));
  }
  return kDone;
}

}  // namespace

void add_history(CLI::App& program, Action& action) {
  CLI::App& app = *program.add_subcommand(
      "history", "Results over time, with the points at which their level changed");
  app.footer(
      "Example:\n"
      "  splitbench history --protocol default --store nightly.db");
  auto options = std::make_shared<HistoryOptions>();
  app.add_option("--protocol", options->protocol,
                 "Of this protocol; that of the newest run "
                 "otherwise")
      ->type_name("NAME");
  app.add_option("--node", options->fingerprint,
                 "Of the machine whose fingerprint begins so; that of the newest run otherwise")
      ->type_name("DIGITS");
  add_count(app, "--last", 0, options->last, "Values to show of each series, the newest: 7");
  add_share(app, "--significance", options->rule.significance,
            "How seldom chance alone may make a change: 0.01, at least 0.002");
  add_store_file(app, options->store);
  add_format(app, options->format);
  app.callback([options, &action] { action = [options] { return history(*options); }; });
}

}  // namespace splitbench::cli

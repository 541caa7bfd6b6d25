#include "harness/cli/program.h"
#include "harness/rank/rank_process.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace splitbench::cli {

void add_rank(CLI::App& program, Action& action) {
  struct Options {
    int rank = 0;
    int parent = 0;
  };
  auto options = std::make_shared<Options>();
  CLI::App& app = *program.add_subcommand("rank", "One rank of a session; started by 'run'");
  app.group("");  // not listed: nobody starts it by hand
  app.add_option("--rank", options->rank)->required();
  app.add_option("--parent", options->parent)->required();
  app.callback([options, &action] {
    action = [options] { return run_rank_process(options->rank, options->parent); };
  });
}

}  // namespace splitbench::cli

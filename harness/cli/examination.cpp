#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/program.h"
#include "harness/preflight/preflight.h"

namespace splitbench::cli {

void add_examination(CLI::App& program, Action& action) {
  CLI::App& app = *program.add_subcommand(
      "examination", "Looks at one class of checks; started by 'run', 'doctor' and 'topology'");
  app.group("");  // not listed: nobody starts it by hand
  auto parent = std::make_shared<int>(0);
  app.add_option("--parent", *parent)->required();
  app.callback(
      [parent, &action] { action = [parent] { return run_examination_process(*parent); }; });
}

}  // namespace splitbench::cli
